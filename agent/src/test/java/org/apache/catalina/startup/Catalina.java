package org.apache.catalina.startup;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.trippi.impl.base.ConcurrentTriplestoreWriter;

/** Stand-in with a shutdown hook named like Tomcat's, which stops a slow Fedora. */
public class Catalina {
  private static final String AGENTS_HOOK = "fedometer-shutdown";

  public class CatalinaShutdownHook extends Thread {
    @Override
    public void run() {
      try {
        awaitAgentsHook();
        Thread stopping =
            new Thread(
                () -> new ConcurrentTriplestoreWriter().flushBuffer(), "localhost-startStop-2");
        stopping.start();
        stopping.join();
      } catch (InterruptedException e) {
        interrupt();
      }
    }

    /**
     * Until the agent waits for this thread, as it is to do, or has ended without that, so that
     * what is written from here on is missed.
     */
    private void awaitAgentsHook() {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      Thread seen = null;
      while (System.nanoTime() < deadline && (seen == null || seen.isAlive())) {
        for (Map.Entry<Thread, StackTraceElement[]> running : getAllStackTraces().entrySet()) {
          if (running.getKey().getName().equals(AGENTS_HOOK)) {
            seen = running.getKey();
            if (isJoining(running.getValue())) {
              return;
            }
          }
        }
        Thread.yield();
      }
    }

    private boolean isJoining(StackTraceElement[] stack) {
      for (StackTraceElement frame : stack) {
        if (frame.getMethodName().equals("join")) {
          return true;
        }
      }
      return false;
    }
  }
}
