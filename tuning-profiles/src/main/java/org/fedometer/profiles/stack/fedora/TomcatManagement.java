package org.fedometer.profiles.stack.fedora;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The management beans of a stack's Tomcat, reached from outside without an agent or command line
 * options. From the first connection on, the JVM listens for it on loopback. For one thread. A
 * hanging JVM never answers, so the caller must limit the wait.
 */
final class TomcatManagement implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(50);

  /**
   * Number of consecutive polls without a request. A request that has just been read appears a
   * moment later.
   */
  private static final int QUIET_POLLS = 4;

  /** Stages of a thread between two requests, by Tomcat's {@code org.apache.coyote.Constants}. */
  private static final Set<Integer> IDLE_STAGES = Set.of(0, 1, 6, 7);

  /** Trippi's class; its package differs in older Fedoras. */
  private static final Pattern UPDATE_CLASS =
      Pattern.compile("org\\.trippi\\.([a-z.]+)?TripleUpdate");

  private static final String STRING = String.class.getName();

  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private TomcatManagement(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  /**
   * @throws IOException if the JVM refuses the connection
   */
  static TomcatManagement of(long pid) throws IOException {
    try {
      VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
      try {
        JMXServiceURL address = new JMXServiceURL(jvm.startLocalManagementAgent());
        return new TomcatManagement(JMXConnectorFactory.connect(address));
      } finally {
        jvm.detach();
      }
    } catch (AttachNotSupportedException | SecurityException | LinkageError e) {
      throw new IOException("Fedora's JVM cannot be queried over JMX: " + e.getMessage(), e);
    }
  }

  /** Returns whether Tomcat accepts requests, which it does once all its webapps are up. */
  boolean acceptsRequests() throws IOException {
    try {
      for (ObjectName each : connectors()) {
        if ("STARTED".equals(beans.getAttribute(each, "stateName"))) {
          return true;
        }
      }
      return false;
    } catch (AttributeNotFoundException e) {
      return true; // Tomcat 6 does not report it
    } catch (JMException e) {
      throw new IOException(e);
    }
  }

  /** Refuses new requests; those in progress continue. */
  void refuseRequests() throws IOException {
    try {
      for (ObjectName each : connectors()) {
        beans.invoke(each, "pause", null, null);
      }
    } catch (JMException e) {
      throw new IOException(e);
    }
  }

  /** Waits for the requests in progress, at most until the limit; returns whether none are left. */
  boolean awaitRequests(Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    int quiet = 0;
    while (quiet < QUIET_POLLS && System.nanoTime() - deadline < 0) {
      Thread.sleep(POLL.toMillis());
      quiet = requestsUnderWay() == 0 ? quiet + 1 : 0;
    }
    return quiet == QUIET_POLLS;
  }

  private int requestsUnderWay() throws IOException {
    int underWay = 0;
    for (ObjectName each : named("*:type=RequestProcessor,*")) {
      try {
        underWay += IDLE_STAGES.contains((Integer) beans.getAttribute(each, "stage")) ? 0 : 1;
      } catch (JMException e) {
        // Its thread has ended.
      }
    }
    return underWay;
  }

  /** Opens a connector on loopback whose port is not published. */
  void openConnector(int port) throws IOException {
    try {
      beans.invoke(
          new ObjectName("Catalina:type=MBeanFactory"),
          "createHttpConnector",
          new Object[] {"Catalina:type=Service", "127.0.0.1", port},
          new String[] {STRING, STRING, int.class.getName()});
    } catch (JMException e) {
      throw new IOException(e);
    }
  }

  /**
   * Returns the number of triples to add or delete in Fedora's memory, by a count of its live
   * objects.
   */
  long waitingUpdates() throws IOException {
    try {
      String histogram =
          (String)
              beans.invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      return updates(histogram);
    } catch (JMException e) {
      throw new IOException(e);
    }
  }

  /**
   * @param histogram lines of {@code RANK: INSTANCES BYTES CLASS [(MODULE)]}
   */
  static long updates(String histogram) {
    return histogram
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(fields -> fields.length >= 4 && UPDATE_CLASS.matcher(fields[3]).matches())
        .mapToLong(fields -> Long.parseLong(fields[1]))
        .sum();
  }

  private Set<ObjectName> connectors() throws IOException {
    return named("*:type=Connector,*");
  }

  private Set<ObjectName> named(String pattern) throws IOException {
    try {
      return new HashSet<>(beans.queryNames(new ObjectName(pattern), null));
    } catch (JMException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The JVM has ended.
    }
  }
}
