package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gomoku-go/gomoku"
)

// How games end.
const (
	reasonFive    = "five"
	reasonFoul    = "foul"
	reasonFull    = "board full"
	reasonLength  = "length"  // adjudicated a draw by -draw-after
	reasonEven    = "even"    // adjudicated a draw by -draw
	reasonResign  = "resign"  // adjudicated a loss by -resign
	reasonTime    = "time"    // lost
	reasonIllegal = "illegal" // lost by an illegal move
	reasonCrash   = "crash"   // lost by a brain that broke down
	reasonStuck   = "stuck"   // lost with nothing but fouls to play
)

// The results of a game.
const (
	blackWins = "black"
	whiteWins = "white"
	drawn     = "draw"
)

// A gameRecord is all that is known of a finished game: a line of the log.
type gameRecord struct {
	Game     int    `json:"game"` // number in the schedule
	Pair     int    `json:"pair"`
	Opening  int    `json:"opening"`  // number in the list of openings
	Symmetry int    `json:"symmetry"` // the opening was turned by
	Black    string `json:"black"`
	White    string `json:"white"`
	Result   string `json:"result"`
	Reason   string `json:"reason"`
	Detail   string `json:"detail,omitempty"`
	Started  string `json:"started"`
	Plies    int    `json:"opening_plies"`
	Moves    string `json:"moves"` // the opening's too

	// Of each move after the opening.
	Micros []int64 `json:"us"`
	Nodes  []int64 `json:"nodes"`
	Depths []int   `json:"depth"`
	Scores []int64 `json:"score"`             // for the mover; unknownScore if it said nothing
	Over   int64   `json:"over_us,omitempty"` // the longest that a move took beyond its limit
}

const unknownScore = 1 << 40

// score returns the points of the player in the game: 0, ½ or 1, in halves.
func (g *gameRecord) halves(name string) int {
	switch {
	case g.Result == drawn:
		return 1
	case (g.Result == blackWins) == (g.Black == name):
		return 2
	}
	return 0
}

// loser returns the name of the player who lost, or "".
func (g *gameRecord) loser() string {
	switch g.Result {
	case blackWins:
		return g.White
	case whiteWins:
		return g.Black
	}
	return ""
}

// adjudication ends games before their end. Zero values switch a rule off.
type adjudication struct {
	DrawAfter int `json:"draw_after,omitempty"` // stones on the board

	// A draw when both sides' scores were within DrawScore of 0 for DrawMoves
	// moves each, with at least DrawFrom stones on the board.
	DrawScore int `json:"draw_score,omitempty"`
	DrawMoves int `json:"draw_moves,omitempty"`
	DrawFrom  int `json:"draw_from,omitempty"`

	// A loss when a side's score was -ResignScore or less for ResignMoves of its
	// moves, while the opponent, if it gives scores, saw itself ahead by as much.
	ResignScore int `json:"resign_score,omitempty"`
	ResignMoves int `json:"resign_moves,omitempty"`

	// Tolerance is how much longer than allowed a move may take.
	Tolerance time.Duration `json:"tolerance_ns"`
}

// parseDraw reads "score=50,moves=10,from=40".
func (a *adjudication) parseDraw(text string) error {
	a.DrawMoves = 8
	a.DrawScore = -1
	err := parseKeys(text, map[string]func(string) error{
		"score": intInto(&a.DrawScore), "moves": intInto(&a.DrawMoves), "from": intInto(&a.DrawFrom),
	})
	if err == nil && (a.DrawScore < 0 || a.DrawMoves < 1 || a.DrawFrom < 0) {
		err = errors.New("needs a score from 0 and moves from 1")
	}
	if err != nil {
		return fmt.Errorf("draw %q: %w", text, err)
	}
	return nil
}

// parseResign reads "score=5000,moves=3".
func (a *adjudication) parseResign(text string) error {
	a.ResignMoves = 3
	err := parseKeys(text, map[string]func(string) error{
		"score": intInto(&a.ResignScore), "moves": intInto(&a.ResignMoves),
	})
	if err == nil && (a.ResignScore < 1 || a.ResignMoves < 1) {
		err = errors.New("needs a score and moves from 1")
	}
	if err != nil {
		return fmt.Errorf("resign %q: %w", text, err)
	}
	return nil
}

// A referee watches the scores of a game.
type referee struct {
	rules adjudication
	last  [3]reply
	even  int    // moves in a row with an even score, of both sides together
	lost  [3]int // moves in a row in which the side saw itself lost
}

// judge takes note of a move that has just been played and says if it ends the
// game: "" while it does not. stones counts those on the board.
func (r *referee) judge(side gomoku.Color, m reply, stones int) (result, reason, detail string) {
	r.last[side] = m
	score := int(m.score)
	if m.scored && -r.rules.DrawScore <= score && score <= r.rules.DrawScore {
		r.even++
	} else {
		r.even = 0
	}
	if m.scored && score <= -r.rules.ResignScore {
		r.lost[side]++
	} else {
		r.lost[side] = 0
	}
	opponent := r.last[side.Opponent()]
	agreed := !opponent.scored || int(opponent.score) >= r.rules.ResignScore
	switch {
	case r.rules.ResignMoves > 0 && r.lost[side] >= r.rules.ResignMoves && agreed:
		return winFor(side.Opponent()), reasonResign, fmt.Sprintf("score %v", m.score)
	case r.rules.DrawMoves > 0 && r.even >= 2*r.rules.DrawMoves && stones >= r.rules.DrawFrom:
		return drawn, reasonEven, ""
	case r.rules.DrawAfter > 0 && stones >= r.rules.DrawAfter:
		return drawn, reasonLength, fmt.Sprintf("%d stones", stones)
	}
	return "", "", ""
}

func winFor(c gomoku.Color) string {
	if c == gomoku.Black {
		return blackWins
	}
	return whiteWins
}

// playGame plays a game from the opening on. A player that breaks a rule loses,
// and detail says how and where; the error is that of a match that can't go on.
func playGame(ctx context.Context, b *gomoku.Board, players [3]player, clocks [3]*clock, rules adjudication, g *gameRecord) error {
	ref := referee{rules: rules}
	g.Plies = b.Len()
	finish := func(result, reason, detail string) error {
		g.Result, g.Reason, g.Detail = result, reason, detail
		moves := make([]gomoku.Point, 0, b.Len())
		for p := range b.Moves() {
			moves = append(moves, p)
		}
		g.Moves = gomoku.FormatMoves(moves)
		return nil
	}
	lose := func(side gomoku.Color, reason, detail string) error {
		position, err := b.MarshalText()
		if err != nil {
			return err
		}
		return finish(winFor(side.Opponent()), reason, fmt.Sprintf("%s at move %d of [%s]", detail, b.Len()+1, position))
	}
	for {
		side := b.Turn()
		timer := clocks[side]
		timer.start()
		start := time.Now()
		m, err := players[side].move(ctx, b, timer)
		used := elapsed(start)
		if m.spent > 0 {
			used = m.spent.Truncate(time.Microsecond)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		allowed, _ := timer.limit()
		over := timer.stop(used)
		var lost *forfeit
		switch {
		case errors.As(err, &lost):
			return lose(side, lost.reason, lost.detail)
		case err != nil:
			return err
		}
		g.Micros = append(g.Micros, used.Microseconds())
		g.Nodes = append(g.Nodes, m.nodes)
		g.Depths = append(g.Depths, m.depth)
		if m.scored {
			g.Scores = append(g.Scores, int64(m.score))
		} else {
			g.Scores = append(g.Scores, unknownScore)
		}
		g.Over = max(g.Over, over.Microseconds())
		if over > rules.Tolerance {
			return lose(side, reasonTime, fmt.Sprintf("%v used of %v", used, allowed))
		}
		foul := b.Foul(m.point)
		if err := b.MakeFoul(m.point); err != nil {
			var refused *gomoku.MoveError
			if errors.As(err, &refused) {
				return lose(side, reasonIllegal, fmt.Sprintf("%v: %v", refused.Point, refused.Err))
			}
			return lose(side, reasonIllegal, err.Error())
		}
		switch {
		case b.Winner() == side:
			return finish(winFor(side), reasonFive, "")
		case b.Winner() != gomoku.Empty:
			return finish(winFor(side.Opponent()), reasonFoul, fmt.Sprintf("%v at %v", foul, m.point))
		case b.Over():
			return finish(drawn, reasonFull, "")
		}
		if result, reason, detail := ref.judge(side, m, b.Len()); result != "" {
			return finish(result, reason, detail)
		}
	}
}
