package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A meeting is a pair of games between two players: the points of the first, in
// halves, 0 to 4.
type meeting struct {
	first, second int
	halves        int
}

// A rating is a player's Elo with its 95 % interval; the mean of all players is 0.
type rating struct{ elo, low, high float64 }

// rate returns the ratings under which the results are most likely in the
// Bradley-Terry model, a draw being half a win. So that a player without a loss
// stays on the scale, everybody is given one more drawn game against each
// opponent. The intervals come from drawing the pairs anew, with replacement.
func rate(players int, meetings []meeting, seed uint64) []rating {
	elos := bradleyTerry(players, meetings)
	const samples = 400
	drawn := make([][]float64, players)
	r := rand.New(rand.NewPCG(seed, 3<<62))
	again := make([]meeting, len(meetings))
	for range samples {
		for i := range again {
			again[i] = meetings[r.IntN(len(meetings))]
		}
		for p, elo := range bradleyTerry(players, again) {
			drawn[p] = append(drawn[p], elo)
		}
	}
	ratings := make([]rating, players)
	for p, elo := range elos {
		slices.Sort(drawn[p])
		ratings[p] = rating{elo, drawn[p][samples/40], drawn[p][samples-1-samples/40]}
	}
	return ratings
}

// bradleyTerry finds the ratings by the usual fixed point (Hunter, MM algorithms
// for generalized Bradley-Terry models, 2004).
func bradleyTerry(players int, meetings []meeting) []float64 {
	points := make([]float64, players)
	games := make([]float64, players*players)
	for _, m := range meetings {
		points[m.first] += float64(m.halves) / 2
		points[m.second] += 2 - float64(m.halves)/2
		games[m.first*players+m.second] += 2
		games[m.second*players+m.first] += 2
	}
	for i, n := range games {
		if n > 0 {
			games[i]++
			points[i/players] += 0.5
		}
	}
	strength := slices.Repeat([]float64{1}, players)
	for range 500 {
		change := 0.0
		for i := range strength {
			if points[i] == 0 {
				continue // has not played
			}
			sum := 0.0
			for j := range strength {
				if n := games[i*players+j]; n > 0 {
					sum += n / (strength[i] + strength[j])
				}
			}
			next := points[i] / sum
			change = max(change, math.Abs(math.Log(next/strength[i])))
			strength[i] = next
		}
		if change < 1e-6 {
			break
		}
	}
	elos := make([]float64, players)
	mean := 0.0
	for i, s := range strength {
		elos[i] = 400 * math.Log10(s)
		mean += elos[i] / float64(players)
	}
	for i := range elos {
		elos[i] -= mean
	}
	return elos
}
