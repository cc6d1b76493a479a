package org.fedometer.agent;

import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.core.StandardWrapperValve;
import org.apache.catalina.startup.Catalina;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;

/**
 * Runs in a JVM of its own with the agent: ingests on threads named as Tomcat names them, and tells
 * what it can see of the agent.
 */
public final class StandInFedora {

  private StandInFedora() {}

  /** Arguments: threads, ingests a thread. */
  public static void main(String[] arguments) throws Exception {
    for (String name :
        List.of(
            "org.aspectj.weaver.World",
            "org.fedometer.wire.CollectorClient",
            "org.fedometer.agent.core.Agent")) {
      System.out.println(name + " " + (isVisible(name) ? "visible" : "hidden"));
    }
    Runtime.getRuntime().addShutdownHook(new Catalina().new CatalinaShutdownHook());
    run(
        List.of(
            new Thread(
                () -> new DOTranslatorImpl().deserialize("system object"),
                "localhost-startStop-1")));
    List<Thread> workers = new ArrayList<>();
    int ingests = Integer.parseInt(arguments[1]);
    for (int worker = 0; worker < Integer.parseInt(arguments[0]); worker++) {
      String namespace = "w" + worker;
      workers.add(new Thread(() -> ingest(namespace, ingests), "http-exec-" + worker));
    }
    run(workers);
    System.out.println("done");
  }

  private static void ingest(String namespace, int count) {
    StandardWrapperValve valve = new StandardWrapperValve();
    for (int i = 0; i < count; i++) {
      valve.invoke(
          new StandardWrapperValve.Request(
              namespace + ":" + i, "00-trace-" + namespace + "-" + i + "-01"),
          "response");
    }
    valve.invoke(new StandardWrapperValve.Request(namespace + ":bad", null), "response");
  }

  private static void run(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static boolean isVisible(String name) {
    try {
      Class.forName(name);
      return true;
    } catch (ClassNotFoundException hidden) {
      return false;
    }
  }
}
