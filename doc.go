// Package gomoku plays gomoku: five in a row, renju and their relatives, on
// boards of 5x5 to 22x22. It has the board and the rules, evaluators, and an
// engine that searches for a move within a depth, a number of positions or a time.
//
// It is a library, not a program: it does not print, log, read the environment
// or start goroutines that outlive a call, and it imports the standard library
// alone. The programs built on it are in the folder examples. The engine is an
// alpha-beta searcher that judges positions by the shapes of their lines.
//
//	b, err := gomoku.ParseBoard(15, gomoku.Freestyle, "h8i9g9")
//	if err != nil {
//		log.Fatal(err)
//	}
//	e, err := gomoku.NewEngine(gomoku.WithTimeBudget(time.Second))
//	if err != nil {
//		log.Fatal(err)
//	}
//	r, err := e.Search(context.Background(), b)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(r.Best, r.Score, r.PV)
//
// # Rules
//
// A [Rule] says what wins and what is forbidden:
//
//   - [Freestyle]: five or more in a row win.
//   - [Standard]: exactly five in a row win.
//   - [Renju]: Black wins with exactly five and must not play a double-three, a
//     double-four or an overline, unless the same move makes a five; White wins
//     with five or more. [Board.Make] refuses a foul, [Board.MakeFoul] plays it and
//     Black loses. [Board.Foul] names the reason.
//   - [Caro]: exactly five in a row win, unless an opponent stone stands at both ends.
//
// A full board without a winner is a draw. There are no opening rules: set-up
// stones, unequal numbers of stones and either side to move are possible, so a
// program can do swap2 or the like with the board.
//
// # Coordinates
//
// A [Point] has a column x from the left and a row y from the bottom, both
// counted from 0. As text it is a letter and a number from 1: h8 is x=7, y=7, the
// centre of a 15x15 board. A drawing has row 1 at the bottom. Move strings, such as
// "h8i9j8", start with Black.
//
// # Scores
//
// A [Score] is from the point of view of the side to move. It is an estimate in
// the units of the evaluator, in which an open three is worth some hundreds; or it
// is a proven win or loss, and [Score.Mate] tells in how many plies. An estimate is
// never larger than [MaxEstimate], however good, so that it is never taken for a
// proof. When the candidate cap, the radius, [WithOnly] or [WithExclude] left out
// replies of the losing side, a win that depends on it stays an estimate:
// plus or minus [MaxEstimate] says won or lost as far as the search looked.
//
// # Evaluation
//
// [EvaluatePoint] and [EvaluateBoard] are the evaluators that tutorials teach: they
// count runs of stones and their open ends, by [Weights]. The engine uses them, with
// [NewLineEvaluator], when the technique [Shapes] is off. When it is on, which is the
// default, it judges by what a stone at each empty point would make, gaps included.
// [WithEvaluator] takes an evaluator of yours. [Technique] lists what else makes the
// search strong, each to be switched on and off by itself.
//
// # Concurrency
//
// A [Board] is not safe for concurrent use; [Board.Clone] it. An [Engine] runs one
// search at a time and answers a second one with [ErrBusy]; several engines run
// side by side. A search uses the goroutine that called it, and more of them only
// [WithThreads]; a context or a time budget stops it.
//
// # Repeatable results
//
// With one thread and no time limit, after [Engine.NewGame] the same position and options give
// the same move, score, line and number of nodes, on every machine. Hashes do not
// change from one program to the next. [WithSeed] gives variety, repeatably.
//
// # Opening
//
// A search that time alone limits answers the empty board, a single stone and the
// positions of an opening book at once; [WithSeed] then chooses among moves that are
// about equally good. [WithBook] says when exactly, and switches it on and off;
// [WithOpeningBook] takes a [Book] of yours, which the program examples/book can make.
//
// # Records
//
// A [Record] is a game with its players, result, comments, times and variations.
// [ReadRecords] and [LoadRecords] read games from SGF, Piskvork, PlayOK and other
// texts, going on after a bad one; [WriteRecord] and [SaveRecords] write them and
// report what a [Format] can't hold; [Record.Board] replays a game and [NewRecord]
// makes one of a board. Package gomocup plays against other programs.
//
// # Pictures
//
// [WriteSVG] draws a position as SVG: stones with move numbers, the winning row, fouls
// with their reason, threats, candidates as a heat map, a line as ghost stones or
// arrows, in colours for light and dark pages and for print. The program
// examples/draw makes PNG of it.
//
// # Candidates
//
// The search looks at empty points near stones only. How many there are, on average
// and at most, on a 15x15 board (random play: first stone in the centre, then any
// empty point; go test -run CandidateTable -v prints the table):
//
//	        random play                         real games
//	stones    radius 1    radius 2    radius 3    radius 1    radius 2    radius 3
//	     1     8.0 (8)   24.0 (24)   48.0 (48)     7.4 (8)   20.4 (24)   37.7 (48)
//	     2   14.9 (16)   41.4 (48)   75.0 (87)   12.2 (16)   30.5 (48)   52.7 (96)
//	     4   27.8 (32)   71.3 (96)  116.0 (159)   22.4 (32)   50.4 (92)  79.7 (141)
//	     6   39.9 (48)  95.6 (128)  143.5 (192)   27.3 (44)   57.5 (98)  88.5 (141)
//	    10   61.1 (76)  130.8 (180)  175.2 (213)   32.0 (50)  64.2 (113)  96.9 (155)
//	    20  100.9 (122)  172.9 (200)  196.8 (205)   41.0 (57)  77.5 (119)  112.5 (161)
//	    30  125.8 (148)  182.4 (195)  193.0 (195)   48.5 (64)  85.5 (121)  118.9 (160)
//	    40  139.0 (160)  179.9 (185)  184.4 (185)   53.5 (70)  90.3 (126)  122.8 (157)
//	    60  146.0 (160)  164.1 (165)  165.0 (165)   60.5 (87)  97.0 (131)  125.0 (154)
//
// Real games keep their stones together, so that candidates within radius 2 are
// less than half of the empty points in the middle game; the candidate cap then keeps
// those with the best single-point scores.
package gomoku
