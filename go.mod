module github.com/gomoku-go/gomoku

go 1.26
