"""The short posts of BFCL's multi-turn cases."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

Answer = dict[str, Any]


class TwitterAPI:
    """Posts, comments and followers of one account."""

    def __init__(self, config: Mapping[str, Any], long: Mapping[str, Any] | None = None) -> None:
        given = deepcopy(dict(config))
        self.username: str = given.get("username", "john")
        self.password: str = given.get("password", "john123")
        self.authenticated: bool = given.get("authenticated", False)
        self.tweets: dict[int, Answer] = _by_number(given.get("tweets", {}))
        self.comments: dict[Any, list[Answer]] = given.get("comments", {})
        self.retweets: dict[str, list[int]] = given.get("retweets", {})
        self.following_list: list[str] = given.get("following_list", ["alice", "bob"])
        self.tweet_counter: int = given.get("tweet_counter", 0)

    def authenticate_twitter(self, username: str, password: str) -> Answer:
        right = username == self.username and password == self.password
        self.authenticated = self.authenticated or right
        return {"authentication_status": right}

    def posting_get_login_status(self) -> Answer:
        return {"login_status": bool(self.authenticated)}

    def post_tweet(
        self, content: str, tags: list[str] | None = None, mentions: list[str] | None = None
    ) -> Answer:
        if not self.authenticated:
            return _stranger("posting")
        tweet = {
            "id": self.tweet_counter,
            "username": self.username,
            "content": content,
            "tags": list(tags or ()),
            "mentions": list(mentions or ()),
        }
        self.tweets[self.tweet_counter] = tweet
        self.tweet_counter += 1
        return tweet

    def retweet(self, tweet_id: int) -> Answer:
        if not self.authenticated:
            return _stranger("retweeting")
        if tweet_id not in self.tweets:
            return _missing(tweet_id)
        mine = self.retweets.setdefault(self.username, [])
        if tweet_id in mine:
            return {"retweet_status": "Already retweeted"}
        mine.append(tweet_id)
        return {"retweet_status": "Successfully retweeted"}

    def comment(self, tweet_id: int, comment_content: str) -> Answer:
        if not self.authenticated:
            return _stranger("commenting")
        if tweet_id not in self.tweets:
            return _missing(tweet_id)
        made = {"username": self.username, "content": comment_content}
        self.comments.setdefault(tweet_id, []).append(made)
        return {"comment_status": "Comment added successfully"}

    def mention(self, tweet_id: int, mentioned_usernames: list[str]) -> Answer:
        if tweet_id not in self.tweets:
            return _missing(tweet_id)
        self.tweets[tweet_id]["mentions"].extend(mentioned_usernames)
        return {"mention_status": "Users mentioned successfully"}

    def follow_user(self, username_to_follow: str) -> Answer:
        if not self.authenticated:
            return _stranger("following")
        fresh = username_to_follow not in self.following_list
        if fresh:
            self.following_list.append(username_to_follow)
        return {"follow_status": fresh}

    def unfollow_user(self, username_to_unfollow: str) -> Answer:
        if not self.authenticated:
            return _stranger("unfollowing")
        known = username_to_unfollow in self.following_list
        if known:
            self.following_list.remove(username_to_unfollow)
        return {"unfollow_status": known}

    def list_all_following(self) -> Answer:
        if not self.authenticated:
            return _stranger("listing following")
        return {"following_list": self.following_list}

    def get_tweet(self, tweet_id: int) -> Answer:
        return self.tweets.get(tweet_id) or _missing(tweet_id)

    def get_user_tweets(self, username: str) -> list[Answer]:
        return [tweet for tweet in self.tweets.values() if tweet["username"] == username]

    def search_tweets(self, keyword: str) -> list[Answer]:
        wanted = keyword.lower()
        return [
            tweet
            for tweet in self.tweets.values()
            if wanted in tweet["content"].lower()
            or wanted in [tag.lower() for tag in tweet["tags"]]
        ]

    def get_tweet_comments(self, tweet_id: int) -> list[Answer] | Answer:
        if tweet_id not in self.tweets:
            return _missing(tweet_id)
        return self.comments.get(tweet_id, [])

    def get_user_stats(self, username: str) -> Answer:
        return {
            "tweet_count": len(self.get_user_tweets(username)),
            "following_count": len(self.following_list) if username == self.username else 0,
            "retweet_count": len(self.retweets.get(username, [])),
        }


def _by_number(tweets: Mapping[str, Answer]) -> dict[int, Answer]:
    """JSON knows no numbers for keys; the tools do."""
    return {int(key): tweet for key, tweet in tweets.items()}


def _stranger(doing: str) -> Answer:
    return {"error": f"User not authenticated. Please authenticate before {doing}."}


def _missing(tweet_id: int) -> Answer:
    return {"error": f"Tweet with ID {tweet_id} not found."}
