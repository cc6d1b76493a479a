package org.fedometer.aspects;

/** Captures Fedora's log, and flushes of triples, which Fedora hardly logs. Times no stages. */
public final class FedoraLogging {

  private FedoraLogging() {}

  /** Events of logback (Fedora 3.4 and later), after the logger's filter and before the appenders. */
  public static aspect LogbackEvents {
    before(Object event): execution(* ch.qos.logback.classic.Logger.callAppenders(*)) && args(event) {
      LogCapture.logged(event);
    }
  }

  /** Events of log4j 1.2 (before Fedora 3.4), at the same point. */
  public static aspect Log4jEvents {
    before(Object event): execution(* org.apache.log4j.Category.callAppenders(*)) && args(event) {
      LogCapture.logged(event);
    }
  }

  /**
   * Flushes of triples, with the number of updates and the duration. Trippi logs them at INFO, which Fedora's default
   * configuration drops. A failed flush loses the whole buffer without a retry; Trippi logs it only on its own flush
   * thread.
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
