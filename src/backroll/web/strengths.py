"""How strong each strategy is, in a sentence for those who choose an opponent.

The figures are of the official board of Can't Stop, 20,000 games from either seat; alone, of as
many games, and of 60 for `exact`. Those of Pig to 100 are exact, against whoever knows the habit.
"""

STRENGTHS = {
    "constant": "Fair: weighs columns; as champion it beats the Rule of 28 in 58 games of 100.",
    "evolved": "Good: what evolution found for games alone; it beats the model in 65 games of 100.",
    "exact": "Very strong: solves each turn exactly; alone it takes some 7 turns.",
    "hold": "Fair: holds at so many points; at 20 it wins 44 games of 100 against the best play.",
    "linear": "Fair: weighs squares; as champion it beats the Rule of 28 in 59 games of 100.",
    "model": "Good: asks what one more roll is worth; it beats the Rule of 28 in 62 games of 100.",
    "optimal": "Perfect where the game is solved or can be; else the best that the server knows.",
    "random": "The weakest: any move, as likely as any other; alone it takes 21 turns.",
    "rollout": "Strong and slow: plays every option out by the thousand before it decides.",
    "ruleof": "Fair: the Rule of 28, a rule of thumb; alone it takes 10.7 turns.",
}
"""By the name of the strategy."""
