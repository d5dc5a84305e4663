"""English and Chinese in one memory, each found in its own words."""

from inscape import Memory

memory = Memory("memories")
memory.add("We moved from Whitefield to Electronic City in March.", user_id="mei", timestamp="2026-03-20")
memory.add("我对花生过敏,点菜的时候别忘了。", user_id="mei", timestamp="2026-04-02T19:17:00+08:00")

for question in ("Where do they live?", "她对什么过敏?", "What is the boiling point of ethanol?"):
    hits = memory.search(question, user_id="mei", top_k=1)["results"]
    print(question, "→", hits[0]["memory"] if hits else "not in memory")
