package org.fedometer.aspects;

/** What Fedora logs, and flushes of triples, which it hardly logs. No stages: nothing is timed. */
public final class FedoraLogging {

  private FedoraLogging() {}

  /**
   * Events of logback, Fedora 3.4 and later: here a logger has let them through, and appenders have not had them yet.
   */
  public static aspect LogbackEvents {
    before(Object event): execution(* ch.qos.logback.classic.Logger.callAppenders(*)) && args(event) {
      LogCapture.logged(event);
    }
  }

  /** Events of log4j 1.2, before Fedora 3.4, likewise. */
  public static aspect Log4jEvents {
    before(Object event): execution(* org.apache.log4j.Category.callAppenders(*)) && args(event) {
      LogCapture.logged(event);
    }
  }

  /**
   * Flushes of triples: how many updates and how long, which Trippi logs at INFO, where Fedora's own configuration
   * drops it. When one fails, Trippi throws the whole buffer away and tries none of it again; it logs a line only where
   * the flush is on its own thread.
   */
  public static aspect TripleFlushes {
    pointcut flush(Object writer):
        execution(* org.trippi.impl.base.ConcurrentTriplestoreWriter.flushBuffer()) && this(writer);

    before(Object writer): flush(writer) {
      FlushCapture.begins(writer);
    }

    after(Object writer) returning: flush(writer) {
      FlushCapture.ends(null);
    }

    after(Object writer) throwing(Throwable failure): flush(writer) {
      FlushCapture.ends(failure);
    }
  }
}
