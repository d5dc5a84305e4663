"""An assistant that remembers: keep each exchange, and give the model what memory holds on the question."""

from inscape import Memory

memory = Memory("memories")

memory.add(
    [
        {"role": "user", "content": "My daughter Lea is allergic to hazelnuts."},
        {"role": "assistant", "content": "Good to know. I will keep hazelnuts out of any recipe."},
    ],
    user_id="ana",
    agent_id="iris",
    session_id="monday",
    timestamp="2026-01-05T18:20:00+01:00",
)

question = "Which cake can I bake for Lea's birthday?"
evidence = memory.recall(question, user_id="ana", budget=200)
prompt = f"Answer from these memories, and say so if they do not help.\n\n{evidence.context}\nQuestion: {question}"
print(prompt)
