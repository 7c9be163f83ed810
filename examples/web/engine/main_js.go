//go:build js

package main

import "syscall/js"

// In a worker messages come by the function gomokuAccept and go by gomokuSend,
// both of which take JSON text.
func main() {
	send := js.Global().Get("gomokuSend")
	s := newService(func(message []byte) { send.Invoke(string(message)) })
	js.Global().Set("gomokuAccept", js.FuncOf(func(_ js.Value, args []js.Value) any {
		s.accept([]byte(args[0].String()))
		return nil
	}))
	js.Global().Get("gomokuReady").Invoke()
	select {}
}
