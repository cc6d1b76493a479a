package org.apache.catalina.core;

import org.fcrepo.server.management.DefaultManagement;

/** Stand-in with the name and shape of Tomcat's, for the agent to weave. */
public class StandardWrapperValve {

  private final DefaultManagement management = new DefaultManagement();

  public final void invoke(Request request, Object response) {
    try {
      management.ingest("context", null, "log", "foxml", "UTF-8", request.pid());
    } catch (IllegalStateException answeredAs500) {
      System.out.println("refused " + request.pid());
    }
  }

  /** Has what the agent looks for in Tomcat's request. */
  public record Request(String pid, String traceparent) {
    public String getHeader(String name) {
      return name.equals("traceparent") ? traceparent : null;
    }

    public String getMethod() {
      return "POST";
    }
  }
}
