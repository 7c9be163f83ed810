package gomocup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gomoku-go/gomoku"
)

// info carries out INFO key value.
func (s *session) info(_ context.Context, args string, _ time.Time) error {
	key, text := cutWord(args)
	if key == "" {
		return errArguments
	}
	key = strings.ToLower(key)
	set := infoKey(key)
	if set == nil {
		return nil // if it were important it would be no INFO, says the protocol
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("INFO %s: %s is too large a number", key, quote(text))
	}
	if err != nil {
		return fmt.Errorf("INFO %s: %w", key, errArguments)
	}
	if limit, ok := infoLimits[key]; ok && value < limit.least {
		return fmt.Errorf("INFO %s: %d is less than %d", key, value, limit.least)
	} else if ok && value > limit.most {
		return fmt.Errorf("INFO %s: %d is more than %d", key, value, limit.most)
	}
	return set(s, value)
}

// infoLimits are the values that make sense, where not all do. Large numbers
// are a way to say that there is no limit. time_left may be below 0.
var infoLimits = map[string]struct{ least, most int64 }{
	"timeout_turn":   {0, math.MaxInt64},
	"timeout_match":  {0, math.MaxInt64},
	"time_increment": {0, math.MaxInt64},
	"max_memory":     {0, math.MaxInt64},
	"max_depth":      {-1, math.MaxInt64}, // -1 is how some GUIs say no limit
	"max_node":       {-1, math.MaxInt64},
	"thread_num":     {1, gomoku.MaxThreads},
}

// infoKey returns what sets a key, nil for those that have no effect. evaluate, folder
// and game_type belong to the protocol, too; they are ignored like unknown ones.
func infoKey(key string) func(*session, int64) error {
	switch key {
	case "timeout_turn":
		return func(s *session, ms int64) error {
			s.clock.turn, s.clock.hasTurn = duration(ms), ms < noTimeLimit
			return nil
		}
	case "timeout_match":
		return func(s *session, ms int64) error {
			if ms >= noTimeLimit {
				ms = 0
			}
			match := duration(ms)
			if match != s.clock.match || match == 0 {
				s.clock.match = match
				s.clock.newGame() // managers that send time_left send it after this
			}
			return nil
		}
	case "time_left":
		return func(s *session, ms int64) error {
			// With a match that has no limit some managers count down from 0.
			s.clock.left, s.clock.hasLeft = max(duration(ms), 0), ms < noTimeLimit && (ms > 0 || s.clock.match > 0)
			return nil
		}
	case "time_increment":
		return func(s *session, ms int64) error {
			s.clock.increment = duration(ms)
			return nil
		}
	case "max_memory":
		return func(s *session, bytes int64) error {
			s.memory = bytes
			s.applyResources()
			return nil
		}
	case "thread_num":
		return func(s *session, threads int64) error {
			s.threads = int(threads)
			s.applyResources()
			return nil
		}
	case "max_depth":
		return func(s *session, plies int64) error {
			s.depth = int(min(max(plies, 0), gomoku.MaxDepth))
			return nil
		}
	case "max_node":
		return func(s *session, nodes int64) error {
			s.nodes = max(nodes, 0)
			return nil
		}
	case "rule":
		return func(s *session, number int64) error {
			rule, err := ruleOf(number)
			if err != nil {
				return fmt.Errorf("%w; the rule is still %v", err, s.rule)
			}
			s.rule = rule
			s.applyRule()
			return nil
		}
	}
	return nil
}

// duration converts milliseconds, cut to what a Duration holds.
func duration(ms int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Millisecond) / 8 // room for sums
	return time.Duration(min(max(ms, -most), most)) * time.Millisecond
}
