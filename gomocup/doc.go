// Package gomocup speaks the Gomocup protocol, the language in which gomoku
// managers such as Piskvork talk to engines, which they call brains: lines of
// text over the standard input and output of the brain.
//
// Server makes a brain of a gomoku.Engine. Client starts somebody else's brain
// and asks it for moves. The package adds no rules of its own and no strength:
// both sides keep a gomoku.Board and trust it alone.
//
// # Coordinates
//
// On the wire a point is "x,y": column and row counted from 0, the row from the
// top. A gomoku.Point counts rows from the bottom. Nothing outside this package
// ever sees the protocol's rows.
//
// # Rules
//
// The protocol numbers rules by bits that not every program reads alike. The
// server takes
//
//	0  gomoku.Freestyle
//	1  gomoku.Standard
//	2  gomoku.Renju, as the Yixin family of boards sends it; the original
//	   meaning, continuous game, is played by nobody
//	4  gomoku.Renju
//	9  gomoku.Caro
//
// and refuses the others. The client sends 0, 1, 4 and 9.
package gomocup
