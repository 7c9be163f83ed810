package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/gomoku-go/gomoku"
)

// A fixture is a game to be played.
type fixture struct {
	pair         int // games 2*pair and 2*pair+1 share opening, symmetry and players
	encounter    int // which two players meet
	black, white int // numbers of the players
	opening      int
	symmetry     gomoku.Symmetry
}

// encounters returns who meets whom: in a round robin everybody, in a gauntlet
// the first player all others.
func encounters(tournament string, players int) ([][2]int, error) {
	var list [][2]int
	switch tournament {
	case "roundrobin", "gauntlet":
	default:
		return nil, fmt.Errorf("unknown tournament %q: roundrobin or gauntlet", tournament)
	}
	for i := range players {
		for j := i + 1; j < players; j++ {
			if i == 0 || tournament == "roundrobin" {
				list = append(list, [2]int{i, j})
			}
		}
	}
	return list, nil
}

// An openingOrder decides which opening each round has. Each pass goes through
// all openings, and no opening comes back in a symmetry it had before until all
// eight are used.
type openingOrder struct {
	count  int
	random bool // shuffle each pass
	turn   bool // use the symmetries
	seed   uint64

	pass  int
	order []int
}

// Streams of random numbers that must not be the same.
const (
	orderStream = 1 << 62
	turnStream  = 2 << 62
)

// round returns the opening of a round and its symmetry.
func (o *openingOrder) round(n int) (opening int, s gomoku.Symmetry) {
	pass, at := n/o.count, n%o.count
	if o.order == nil || o.pass != pass {
		o.pass = pass
		o.order = make([]int, o.count)
		for i := range o.order {
			o.order[i] = i
		}
		if o.random {
			r := rand.New(rand.NewPCG(o.seed, orderStream|uint64(pass)))
			r.Shuffle(o.count, func(i, j int) { o.order[i], o.order[j] = o.order[j], o.order[i] })
		}
	}
	opening = o.order[at]
	if o.turn {
		r := rand.New(rand.NewPCG(o.seed, turnStream|uint64(opening)))
		s = gomoku.Symmetry(r.Perm(gomoku.NumSymmetries)[pass%gomoku.NumSymmetries])
	}
	return opening, s
}

// schedule returns all games: round after round, in each of which all
// encounters play the same opening with both colours. More rounds make it
// longer and change nothing before.
func schedule(meetings [][2]int, rounds int, order openingOrder) []fixture {
	games := make([]fixture, 0, 2*rounds*len(meetings))
	for n := range rounds {
		opening, s := order.round(n)
		for e, m := range meetings {
			f := fixture{pair: len(games) / 2, encounter: e, black: m[0], white: m[1], opening: opening, symmetry: s}
			games = append(games, f)
			f.black, f.white = f.white, f.black
			games = append(games, f)
		}
	}
	return games
}
