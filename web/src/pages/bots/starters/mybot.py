"""A bot for {title}. To try it here: marchland play {game} --bots mybot.py,greedy --watch"""

# Orders look like this; the values are only examples:
# {orders}


class Bot:
    def start(self, info):
        print("seat", info["seat"], "of", info["players"])

    def play(self, view):
        # The view is what your seat may know. Return a list of orders.
        return []

    def results(self, results):
        for result in results:
            if result["state"] != "done":
                print(result["order"], result["sentence"])
