package org.fedometer.driver.load;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.fedometer.driver.request.RequestEvent;

/**
 * Failures of a load.
 *
 * @param givenUp the first twenty failed objects or statements, each by its last attempt
 * @param requests the first twenty failed requests, whatever the object's outcome
 * @param notIngested indices of the failed and abandoned objects, at most {@link
 *     IngestTally#MAX_NOT_INGESTED}
 */
public record Failures(
    List<RequestEvent> givenUp, List<RequestEvent> requests, Set<Long> notIngested) {

  public Failures {
    givenUp = List.copyOf(givenUp);
    requests = List.copyOf(requests);
    notIngested = Set.copyOf(notIngested);
  }

  /** Returns these failures followed by the given ones. */
  public Failures plus(Failures then) {
    Set<Long> missing = new HashSet<>(notIngested);
    missing.addAll(then.notIngested);
    return new Failures(first(givenUp, then.givenUp), first(requests, then.requests), missing);
  }

  private static List<RequestEvent> first(List<RequestEvent> some, List<RequestEvent> more) {
    return Stream.concat(some.stream(), more.stream()).limit(IngestTally.MAX_FAILURES).toList();
  }
}
