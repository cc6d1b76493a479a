package org.fedometer.collector.ask;

import java.util.concurrent.CompletableFuture;

/** Whoever writes the runs; see {@link org.fedometer.collector.journal.Journal#release}. */
@FunctionalInterface
public interface RunKeeper {
  CompletableFuture<Boolean> release(String runName, Runnable then);
}
