package gomocup_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
	"github.com/gomoku-go/gomoku/gomocup"
)

// A brain is a server at the standard input and output; here its manager's
// commands come from a string.
func ExampleServer() {
	server, err := gomocup.NewServer(
		gomocup.WithAbout(gomocup.About{Name: "mine", Version: "1.0"}),
		gomocup.WithEngineOptions(gomoku.WithDepth(4)),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	manager := strings.NewReader("ABOUT\nSTART 23\nSTART 15\nINFO rule 1\nPLAY 7,7\nTAKEBACK 7,7\nEND\n")
	if err := server.Serve(context.Background(), manager, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// name="mine", version="1.0"
	// ERROR size 23 is not supported, only 5 to 22, for example 20
	// OK
	// 7,7
	// OK
}

// A client would usually Start a program. Here the brain is a server in the
// same one.
func ExampleClient() {
	server, err := gomocup.NewServer(gomocup.WithEngineOptions(gomoku.WithDepth(2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	toBrain, commands := io.Pipe()
	answers, fromBrain := io.Pipe()
	go func() {
		fromBrain.CloseWithError(server.Serve(context.Background(), toBrain, fromBrain))
	}()

	ctx := context.Background()
	brain := gomocup.NewClient("mine", answers, commands)
	defer brain.Close()
	brain.SetLimits(gomocup.Limits{Turn: time.Minute, Memory: 50 << 20})
	if err := brain.NewGame(ctx, 15, gomoku.Freestyle); err != nil {
		fmt.Println(err)
		return
	}
	board, err := gomoku.ParseBoard(15, gomoku.Freestyle, "h8h12h9a2h10a3h11")
	if err != nil {
		fmt.Println(err)
		return
	}
	move, err := brain.Move(ctx, board, 0)
	fmt.Println(move, err) // Black threatens a five
	// Output:
	// h7 <nil>
}
