package org.apache.catalina.startup;

import org.trippi.impl.base.ConcurrentTriplestoreWriter;

/** Stand-in whose shutdown hook is named as Tomcat's is, and stops a Fedora that takes its time. */
public class Catalina {

  public class CatalinaShutdownHook extends Thread {
    @Override
    public void run() {
      try {
        Thread.sleep(400);
        Thread stopping =
            new Thread(
                () -> new ConcurrentTriplestoreWriter().flushBuffer(), "localhost-startStop-2");
        stopping.start();
        stopping.join();
      } catch (InterruptedException e) {
        interrupt();
      }
    }
  }
}
