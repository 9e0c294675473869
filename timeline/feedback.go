package timeline

import (
	"slices"

	"engram/memory"
)

// Pin is an episode that is always shown.
type Pin struct {
	Ordinal  int
	Priority int         // in [-2, 2], 0 if none was given
	Due      memory.Time // zero if none was given
}

// Use sums up what active feedback tells about one episode. A feedback record
// counts once for each of its lists that names the episode.
type Use struct {
	Used, Followed, Helped, Hurt int
	Rewards                      int     // feedback that used, followed, helped or hurt it and gave a reward
	Reward                       float64 // mean of those rewards; 0 if there are none
}

// pinEvent is one feedback that pins or unpins an episode.
type pinEvent struct {
	row      int32 // of the feedback
	on       bool
	priority int8
	due      memory.Time
}

// useEvent is one feedback that names an episode.
type useEvent struct {
	row    int32 // of the feedback
	lists  uint8 // bit k: named in the k-th of used, followed, helped, hurt
	reward *float64
}

func (f *Fold) addFeedback(at int32, fb *memory.Feedback) {
	for k, list := range [...][]memory.ID{fb.Used, fb.Followed, fb.Helped, fb.Hurt} {
		for _, id := range list {
			if i, ok := f.ordinal(id); ok {
				f.addUse(i, useEvent{row: at, lists: 1 << k, reward: fb.Reward})
			}
		}
	}
	pin := pinEvent{row: at, on: true, due: fb.Due}
	if fb.Priority != nil {
		pin.priority = int8(*fb.Priority)
	}
	for _, id := range fb.Pin {
		if i, ok := f.ordinal(id); ok {
			f.pins[i] = append(f.pins[i], pin)
		}
	}
	for _, id := range fb.Unpin { // after the pins: in one record, unpin wins
		if i, ok := f.ordinal(id); ok {
			f.pins[i] = append(f.pins[i], pinEvent{row: at})
		}
	}
}

// addUse adds an event, or joins it to the one of the same feedback.
func (f *Fold) addUse(i int32, e useEvent) {
	events := f.uses[i]
	if n := len(events); n > 0 && events[n-1].row == e.row {
		events[n-1].lists |= e.lists
		return
	}
	f.uses[i] = append(events, e)
}

// Pins gives the visible episodes whose latest active pin or unpin is a pin,
// in the order of the log. That pin alone sets priority and due time.
func (v View) Pins() []Pin {
	var pins []Pin
	for i, events := range v.f.pins {
		if !v.Visible(int(i)) {
			continue
		}
		for _, e := range slices.Backward(events) {
			if !v.active(e.row) {
				continue
			}
			if e.on {
				pins = append(pins, Pin{Ordinal: int(i), Priority: int(e.priority), Due: e.due})
			}
			break
		}
	}
	slices.SortFunc(pins, func(a, b Pin) int { return a.Ordinal - b.Ordinal })
	return pins
}

// Uses sums up the active feedback on episode i.
func (v View) Uses(i int) Use {
	var u Use
	sum := 0.0
	for _, e := range v.f.uses[int32(i)] {
		if !v.active(e.row) {
			continue
		}
		u.Used += int(e.lists & 1)
		u.Followed += int(e.lists >> 1 & 1)
		u.Helped += int(e.lists >> 2 & 1)
		u.Hurt += int(e.lists >> 3 & 1)
		if e.reward != nil {
			u.Rewards++
			sum += *e.reward
		}
	}
	if u.Rewards > 0 {
		u.Reward = sum / float64(u.Rewards)
	}
	return u
}
