package org.fedometer.aspects;

/** Messages about what was changed: queued on the request's thread, sent on another. */
@StageGroup("Messages")
public final class MessagingStages {

  private MessagingStages() {}

  /** Handing a message over to the thread that sends it. */
  public static aspect Queue extends TimedStage {
    Queue() {
      super("messaging.queue");
    }

    protected pointcut timed():
        call(* java.util.concurrent.ExecutorService.submit(..))
        && within(org.fcrepo.server.messaging.NotificationInvocationHandler
            || fedora.server.messaging.NotificationInvocationHandler);
  }

  /** A message made and sent to the broker, as a trace of its own. */
  public static aspect Send extends TimedStage {
    Send() {
      super("messaging.send");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.messaging.MessagingImpl || fedora.server.messaging.MessagingImpl).send(*));
  }
}
