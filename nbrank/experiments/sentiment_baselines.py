"""Four baselines of sentiment analysis on SST-5, as prrao87/fine-grained-sentiment has them.

They need the extra `sentiment`: TextBlob, NLTK, vaderSentiment and scikit-learn.
https://github.com/prrao87/fine-grained-sentiment/blob/143faf7/classifiers.py
"""

import pandas as pd

from nbrank.datasets.downloads import fetch_sst5

REQUIRED = ("textblob", "nltk", "vaderSentiment", "sklearn")

#: What vaderSentiment 0.5 has otherwise than 3.3: two scores, and words that it lacks.
_OLDER_SCORES = {"badass": -0.6, ":p": 1.4}
_LATER_WORDS = ("flawed", "heart", "hearts", ":P")


def rerun_sst5_baselines(texts: pd.DataFrame | None = None) -> pd.DataFrame:
    """What do the four baselines answer on the test sentences?

    TextBlob and VADER score a sentence from a dictionary; their scores are cut into five bins of
    equal width. VADER is NLTK's, with the lexicon of vaderSentiment 0.5. The logistic regression
    and the linear support vector machine are trained on the words of the training sentences.

    Parameters
    ----------
    texts
        The frame of `nbrank.datasets.fetch_sst5`; None fetches it.

    Returns
    -------
    pandas.DataFrame
        A row for each test sentence; the columns `label`, `TextBlob`, `VADER`, `Logistic
        Regression` and `SVM`, from 1 to 5.

    Raises
    ------
    ImportError
        If a library is not installed; the message names the extra.
    """
    try:
        from nltk.sentiment.vader import SentimentIntensityAnalyzer, VaderConstants
        from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
        from sklearn.linear_model import LogisticRegression, SGDClassifier
        from sklearn.pipeline import make_pipeline
        from textblob import TextBlob
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer as LaterVader
    except ImportError as error:
        raise ImportError(
            f"{error.name} is not installed; install the extra: pip install 'nbrank[sentiment]'",
            name=error.name,
        ) from error
    texts = fetch_sst5() if texts is None else texts
    train, test = texts.loc["train"], texts.loc["test"]
    vader = SentimentIntensityAnalyzer.__new__(SentimentIntensityAnalyzer)  # without a download
    vader.constants, vader.lexicon = VaderConstants(), LaterVader().lexicon | _OLDER_SCORES
    for word in _LATER_WORDS:
        vader.lexicon.pop(word, None)
    scores = {
        "TextBlob": test["text"].map(lambda text: TextBlob(text).sentiment.polarity),
        "VADER": test["text"].map(lambda text: vader.polarity_scores(text)["compound"]),
    }
    classifiers = {
        "Logistic Regression": LogisticRegression(solver="newton-cg", random_state=42),
        "SVM": SGDClassifier(alpha=1e-3, max_iter=100, tol=None, random_state=42),
    }
    answers = {"label": test["label"]}
    for name, score in scores.items():
        answers[name] = pd.cut(score, bins=5, labels=[1, 2, 3, 4, 5]).astype(int)
    for name, classifier in classifiers.items():
        model = make_pipeline(CountVectorizer(), TfidfTransformer(), classifier)
        answers[name] = model.fit(train["text"], train["label"]).predict(test["text"])
    return pd.DataFrame(answers)
