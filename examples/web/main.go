// Web is a page to play, analyse and solve gomoku in the browser: the library,
// compiled to WebAssembly, in web workers behind a static page.
//
//	go run ./examples/web                # builds the site and serves it on localhost:8080
//	go run ./examples/web -addr :9000    # elsewhere
//	go run ./examples/web -out site      # writes it to a folder, for any static host
//
// The site needs no server of its own: it works from any host, under any path,
// and after the first visit without a network. It is built with the go command,
// so the program is to be run in a clone of the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program: 0 is success, 1 a failure, 2 a wrong command line.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("web", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "localhost:8080", "serve the site at this `address`")
	out := flags.String("out", "", "write the site to this `folder` instead of serving it")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "web: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	site, err := build(ctx)
	if err == nil && *out != "" {
		if err = site.write(*out); err == nil {
			fmt.Fprintf(stdout, "The site is in %s. Its engine has %d kB, compressed %d kB.\n",
				*out, len(site[engineName])/1000, len(site[engineName+".gz"])/1000)
		}
	} else if err == nil {
		err = serve(ctx, *addr, site, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "web: %v\n", err)
		return 1
	}
	return 0
}

// serve serves the site until ctx ends.
func serve(ctx context.Context, addr string, s site, stdout io.Writer) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "Play at http://%s/ (Ctrl-C ends the program).\n", listener.Addr())
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
