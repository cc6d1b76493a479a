package org.fedometer.driver.journal;

/** Sums over the acknowledged objects. */
public record Totals(long triples, long contentBytes, long additions, long failedAdditions) {

  public static final Totals NONE = new Totals(0, 0, 0, 0);

  Totals plus(Acknowledged object) {
    return new Totals(
        triples + object.triples(),
        contentBytes + object.contentBytes(),
        additions + object.additions(),
        failedAdditions + object.failedAdditions());
  }

  Totals minus(long withdrawnTriples, long withdrawnBytes, long withdrawnAdditions) {
    return new Totals(
        Math.max(0, triples - withdrawnTriples),
        Math.max(0, contentBytes - withdrawnBytes),
        Math.max(0, additions - withdrawnAdditions),
        failedAdditions);
  }
}
