package gomoku_test

import (
	"fmt"
	"log"

	"github.com/gomoku-go/gomoku"
)

func ExampleThreats() {
	// Black has a four, closed by White's stone at d8, and a three of column h.
	b, err := gomoku.ParseBoard(15, gomoku.Freestyle, "e8d8f8f6g8g6h8i6h9c5h10b4")
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range []gomoku.Color{gomoku.Black, gomoku.White} {
		for _, t := range gomoku.Threats(b, c) {
			fmt.Println(c, t.Kind, t.Stones)
			fmt.Println("  completed at", t.Completing, "stopped at", t.Defending)
		}
	}
	// Output:
	// black four [e8 f8 g8 h8]
	//   completed at [i8] stopped at [i8]
	// black open three [h8 h9 h10]
	//   completed at [h7 h11] stopped at [h7 h11]
	// white broken three [f6 g6 i6]
	//   completed at [h6] stopped at [e6 h6 j6]
}
