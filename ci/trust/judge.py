"""What a check of a synthetic student, or of honest code, says of the grader."""


def relation(bound):
    """How many times a bound was reached: for `agree`, the deviation in tolerances. None: that is not known."""
    if bound is None or bound["measured"] is None or not bound["bound"]:
        return None
    if bound["comparison"].startswith("within"):
        return abs(bound["measured"] - 1) / bound["bound"]
    return bound["measured"] / bound["bound"]


def judge(student, check):
    """("right", "unstable" or "wrong", why), of a synthetic student's check."""
    broken = check.broken()
    if broken:
        return "wrong", broken
    bound = check.bound(student.bound)
    if bound is None:
        return "wrong", "the bound was not checked"
    if student.side == "worse" and check.result["verdict"] == "pass":
        return "wrong", "pass in all"
    if bound["verdict"] == student.expected:
        return "right", ""
    if bound["verdict"] in ("unstable", "skip"):
        return "unstable", bound["message"]
    low, high = (f"{bound[key]:.4g}" if bound[key] is not None else "?" for key in ("low", "high"))
    return "wrong", f"{bound['verdict']}: {bound['measured']} ({low} to {high}), bound {bound['bound']}"


def judge_honest(check):
    """The same of code that must not fail."""
    broken = check.broken()
    if broken:
        return "wrong", broken
    verdict = check.result["verdict"]
    if verdict == "pass":
        return "right", ""
    missed = [bound["name"] + ": " + bound["message"] for bound in check.result["checks"] if bound["verdict"] == verdict]
    return ("unstable" if verdict == "unstable" else "wrong"), f"{verdict}: {'; '.join(missed)}"
