package gomoku_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// The reader finds out the format, and a bad game does not stop it.
func ExampleReadRecords() {
	file := strings.NewReader(`(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[B+R];B[hh];W[ig];B[ii])
(;GM[4]SZ[15];B[hh]
;W[hh])
(;GM[4]SZ[15];B[hh];W[hg])`)
	for rec, err := range gomoku.ReadRecords(file, gomoku.ReadOptions{}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		var moves []gomoku.Point
		for p := range rec.Moves() {
			moves = append(moves, p)
		}
		fmt.Println(gomoku.FormatMoves(moves), rec.Outcome, rec.Reason)
	}
	// Output:
	// h8i9i7 black resign
	// gomoku: sgf game 2, line 3, column 3: move W[hh]: point is occupied
	// h8h9 unknown
}

// What a format can't hold is reported, and written only if that is allowed.
func ExampleWriteRecord() {
	b, err := gomoku.ParseBoard(15, gomoku.Renju, "h8i9j8")
	if err != nil {
		fmt.Println(err)
		return
	}
	rec := gomoku.NewRecord(b)
	rec.Black.Name, rec.White.Name = "Ann", "Bob"
	rec.Root.Next[0].Time = 1500 * time.Millisecond

	if err := gomoku.WriteRecord(os.Stdout, rec, gomoku.SGF, gomoku.WriteOptions{}); err != nil {
		fmt.Println(err)
	}
	err = gomoku.WriteRecord(os.Stdout, rec, gomoku.PSQ, gomoku.WriteOptions{})
	var loss *gomoku.LossError
	if errors.As(err, &loss) {
		fmt.Println(loss)
		err = gomoku.WriteRecord(os.Stdout, rec, gomoku.PSQ, gomoku.WriteOptions{AllowLoss: true})
	}
	fmt.Println(err)
	// Output:
	// (;FF[4]GM[4]SZ[15]RU[renju]PB[Ann]PW[Bob];B[hh]MS[1500];W[ig];B[jh])
	// gomoku: psq can't hold rule
	// Piskvorky 15x15, 0:0, 0
	// 8,8,1500
	// 9,7,0
	// 10,8,0
	// Ann
	// Bob
	// -1
	// <nil>
}

// Openings as Gomocup keeps them: offsets from the centre, rows down.
func ExampleReadRecords_openings() {
	file := strings.NewReader("0,0, 1,0, 1,3\n0,0, 9,9\n")
	for rec, err := range gomoku.ReadRecords(file, gomoku.ReadOptions{Size: 15, Rule: gomoku.Standard}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		b, err := rec.Board()
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(b.Len(), b.LastMove(), b.Turn())
	}
	// Output:
	// 3 i5 white
	// gomoku: offsets game 2, line 2, column 1: move "9,9": point is outside the board
}

func ExampleRecord_MarshalJSON() {
	rec := &gomoku.Record{Size: 15, Rule: gomoku.Standard, Outcome: gomoku.WhiteWins, Reason: "time"}
	rec.Add(gomoku.Pt(7, 7), gomoku.Black)
	text, err := gomoku.AppendRecord(nil, rec, gomoku.JSONLines, gomoku.WriteOptions{})
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// {"size":15,"rule":"standard","outcome":"white","reason":"time","moves":[{"move":"h8","color":"black"}]}
	// <nil>
}

func ExampleSaveRecords() {
	dir, err := os.MkdirTemp("", "records")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	rec := &gomoku.Record{Size: 15}
	rec.Add(gomoku.Pt(7, 7), gomoku.Black)
	path := dir + "/game.sgf"
	if err := gomoku.SaveRecords(path, []*gomoku.Record{rec}, gomoku.UnknownFormat, gomoku.WriteOptions{}); err != nil {
		fmt.Println(err)
	}
	recs, err := gomoku.LoadRecords(path, gomoku.ReadOptions{})
	fmt.Println(len(recs), err)
	// Output: 1 <nil>
}
