package org.fedometer.aspects;

/** Messages about changes: queued on the request's thread, sent on another. */
@StageGroup("Messages")
public final class MessagingStages {

  private MessagingStages() {}

  @Described(
      value = "handing a message to the thread that sends it; also without a sender",
      calls = "0; with messaging 1; 3.5: 1", knob = "`fedora.messaging`", golden = {0, 0, 1, 1})
  public static aspect Queue extends TimedStage {
    Queue() {
      super("messaging.queue");
    }

    protected pointcut timed():
        call(* java.util.concurrent.ExecutorService.submit(..))
        && within(org.fcrepo.server.messaging.NotificationInvocationHandler
            || fedora.server.messaging.NotificationInvocationHandler);
  }

  @Described(value = "the message made and sent, as a trace of its own", calls = "outside", knob = "broker")
  public static aspect Send extends TimedStage {
    Send() {
      super("messaging.send");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.messaging.MessagingImpl || fedora.server.messaging.MessagingImpl).send(*));
  }
}
