package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;

/** The way of a request from Tomcat to Fedora's management interface. */
public final class RequestStages {

  private RequestStages() {}

  /** Tomcat's last valve: all filters and the servlet. The root of a request's trace. */
  public static aspect Request extends TimedStage {
    Request() {
      super("http.request");
    }

    protected pointcut timed(): execution(* org.apache.catalina.core.StandardWrapperValve.invoke(..));
  }

  /** Joins the request's trace with its client's, and says by what method it came. Has the lower precedence, so that it runs when the trace is open. */
  public static aspect RequestIdentity {
    declare precedence: Request, RequestIdentity;

    before(Object request): execution(* org.apache.catalina.core.StandardWrapperValve.invoke(*, *)) && args(request, *) {
      if (Recorder.isOn()) {
        Recorder.noteOperation(RequestHeaders.methodOf(request));
        Recorder.noteTraceparent(RequestHeaders.traceparentOf(request));
      }
    }
  }

  /** The JAAS filter's own work; its {@code doFilter} would wrap the whole request. */
  public static aspect Authentication extends TimedStage {
    Authentication() {
      super("http.authentication");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.security.jaas.AuthFilterJAAS.authenticate(..));
  }

  /** REST ingest; {@code newObject} calls it. The class is singular in Fedora 3.4 and 3.5. */
  public static aspect CreateObject extends TimedStage {
    CreateObject() {
      super("rest.create-object");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.rest.FedoraObjectsResource.createObject(..))
        || execution(* org.fcrepo.server.rest.FedoraObjectResource.createObject(..));
  }

  /** Finding the body of a REST request, multipart or not. */
  public static aspect ReadContent extends TimedStage {
    ReadContent() {
      super("rest.read-content");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.rest.RestUtil.getRequestContent(..));
  }

  /** SOAP ingest, both bindings. */
  public static aspect SoapIngest extends TimedStage {
    SoapIngest() {
      super("soap.ingest");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.management.FedoraAPIMImpl.ingest(..))
        || execution(* org.fcrepo.server.management.FedoraAPIMMTOMImpl.ingest(..));
  }
}
