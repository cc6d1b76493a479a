package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;

/** The way of a request from Tomcat to Fedora's management and access interfaces. */
@StageGroup("The way in")
public final class RequestStages {

  private RequestStages() {}

  /** Tomcat's last valve: all filters and the servlet. The root of a request's trace. */
  public static aspect Request extends TimedStage {
    Request() {
      super("http.request");
    }

    protected pointcut timed(): execution(* org.apache.catalina.core.StandardWrapperValve.invoke(..));
  }

  /**
   * Joins the request's trace with its client's, and says by what method it came and whether it was answered with a
   * failure. Has the lower precedence, so that it runs when the trace is open.
   */
  public static aspect RequestIdentity {
    declare precedence: Request, RequestIdentity;

    before(Object request):
        execution(* org.apache.catalina.core.StandardWrapperValve.invoke(*, *)) && args(request, *) {
      if (Recorder.isOn()) {
        Recorder.noteOperation(RequestHeaders.methodOf(request));
        Recorder.noteTraceparent(RequestHeaders.traceparentOf(request));
      }
    }

    /** Servlets that catch what goes wrong answer with a status, and throw nothing. */
    after(Object response) returning:
        execution(* org.apache.catalina.core.StandardWrapperValve.invoke(*, *)) && args(*, response) {
      if (Recorder.isOn() && RequestHeaders.isServerError(response)) {
        Recorder.noteFailure();
      }
    }
  }

  /**
   * All filters and the servlet: its own time is the filters'. A call: each filter calls the next by the same method.
   */
  public static aspect Filters extends TimedStage {
    Filters() {
      super("http.filters");
    }

    protected pointcut timed():
        call(* org.apache.catalina.core.ApplicationFilterChain.doFilter(..))
        && within(org.apache.catalina.core.StandardWrapperValve);
  }

  /**
   * The JAAS filter's own work, or before it that of the filter of users in XML, LDAP or Pubcookie; their
   * {@code doFilter} would wrap the whole request.
   */
  public static aspect Authentication extends TimedStage {
    Authentication() {
      super("http.authentication");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.security.jaas.AuthFilterJAAS.authenticate(..))
        || execution(* org.fcrepo.server.jaas.AuthFilterJAAS.authenticate(..))
        || execution(void (org.fcrepo.server.security.servletfilters.BaseCaching
            || fedora.server.security.servletfilters.BaseCaching).authenticate(..));
  }

  /**
   * CXF, and before it Jersey and Axis: its own time is finding the resource, reading parameters, writing the answer.
   */
  public static aspect Dispatch extends TimedStage {
    Dispatch() {
      super("http.dispatch");
    }

    protected pointcut timed():
        execution(* org.apache.cxf.transport.servlet.CXFNonSpringServlet.invoke(..))
        || execution(* com.sun.jersey.spi.container.servlet.ServletContainer.service(java.net.URI, java.net.URI, ..))
        || execution(* org.apache.axis.transport.http.AxisServlet.doPost(..));
  }

  /** REST ingest; {@code newObject} calls it. The class is singular before Fedora 3.6. */
  public static aspect CreateObject extends TimedStage {
    CreateObject() {
      super("rest.create-object");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.rest.FedoraObjectsResource.createObject(..))
        || execution(* (org.fcrepo.server.rest.FedoraObjectResource
            || fedora.server.rest.FedoraObjectResource).createObject(..));
  }

  /** Finding the body of a REST request, multipart or not. */
  public static aspect ReadContent extends TimedStage {
    ReadContent() {
      super("rest.read-content");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.rest.RestUtil || fedora.server.rest.RestUtil).getRequestContent(..));
  }

  /** All else that is done with objects: read, changed, purged, related to others; new PIDs. */
  public static aspect Objects extends TimedStage {
    Objects() {
      super("rest.objects");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.rest.FedoraObjectsResource.updateObject(..))
        || execution(* org.fcrepo.server.rest.FedoraObjectsResource.deleteObject(..))
        || execution(* org.fcrepo.server.rest.FedoraObjectsResource.getObject*(..))
        || execution(* org.fcrepo.server.rest.FedoraObjectsResource.getNextPID(..))
        || execution(* org.fcrepo.server.rest.FedoraObjectsResource.doObjectValidation(..))
        || execution(* (org.fcrepo.server.rest.FedoraObjectResource
            || fedora.server.rest.FedoraObjectResource).updateObject(..))
        || execution(* (org.fcrepo.server.rest.FedoraObjectResource
            || fedora.server.rest.FedoraObjectResource).deleteObject(..))
        || execution(* (org.fcrepo.server.rest.FedoraObjectResource
            || fedora.server.rest.FedoraObjectResource).getObject*(..))
        || execution(* (org.fcrepo.server.rest.FedoraObjectResource
            || fedora.server.rest.FedoraObjectResource).doObjectValidation(..))
        || execution(* (org.fcrepo.server.rest.FedoraObjectSearchResource
            || fedora.server.rest.FedoraObjectSearchResource).getNextPID(..))
        || execution(public !static * org.fcrepo.server.rest.RelationshipResource.*(..));
  }

  /** Datastreams: added, read, changed, purged. */
  public static aspect Datastreams extends TimedStage {
    Datastreams() {
      super("rest.datastreams");
    }

    protected pointcut timed():
        execution(public !static * (org.fcrepo.server.rest.DatastreamResource
            || fedora.server.rest.DatastreamResource).*(..));
  }

  /** Search by fields. */
  public static aspect Search extends TimedStage {
    Search() {
      super("rest.search");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.rest.FedoraObjectsResource.searchObjects(..))
        || execution(* (org.fcrepo.server.rest.FedoraObjectSearchResource
            || fedora.server.rest.FedoraObjectSearchResource).searchObjects(..));
  }

  /** Methods of an object: listed and called. */
  public static aspect Methods extends TimedStage {
    Methods() {
      super("rest.methods");
    }

    protected pointcut timed():
        execution(public !static * (org.fcrepo.server.rest.MethodResource || fedora.server.rest.MethodResource).*(..));
  }

  /** The repository's description, and the schemas that it serves. */
  public static aspect Repository extends TimedStage {
    Repository() {
      super("rest.repository");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.rest.DescribeRepositoryResource.describe(..))
        || execution(* org.fcrepo.server.rest.SchemaResource.getSchema(..));
  }

  /** Content sent ahead, by REST or by the older servlet. */
  public static aspect Upload extends TimedStage {
    Upload() {
      super("rest.upload");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.upload.UploadResource.upload(..))
        || execution(* (org.fcrepo.server.management.UploadServlet
            || fedora.server.management.UploadServlet).doPost(..));
  }

  /** SOAP ingest, both bindings, and that of Axis. */
  public static aspect SoapIngest extends TimedStage {
    SoapIngest() {
      super("soap.ingest");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.management.FedoraAPIMImpl.ingest(..))
        || execution(* org.fcrepo.server.management.FedoraAPIMMTOMImpl.ingest(..))
        || execution(* (org.fcrepo.server.management.FedoraAPIMBindingSOAPHTTPImpl
            || fedora.server.management.FedoraAPIMBindingSOAPHTTPImpl).ingest(..));
  }

  /** All other operations by SOAP. */
  public static aspect SoapOperation extends TimedStage {
    SoapOperation() {
      super("soap.operation");
    }

    protected pointcut timed():
        (execution(public !static * org.fcrepo.server.management.FedoraAPIMImpl.*(..))
        || execution(public !static * org.fcrepo.server.management.FedoraAPIMMTOMImpl.*(..))
        || execution(public !static * (org.fcrepo.server.management.FedoraAPIMBindingSOAPHTTPImpl
            || fedora.server.management.FedoraAPIMBindingSOAPHTTPImpl).*(..))
        || execution(public !static * org.fcrepo.server.access.FedoraAPIAImpl.*(..))
        || execution(public !static * org.fcrepo.server.access.FedoraAPIAMTOMImpl.*(..))
        || execution(public !static * (org.fcrepo.server.access.FedoraAPIABindingSOAPHTTPImpl
            || fedora.server.access.FedoraAPIABindingSOAPHTTPImpl).*(..)))
        && !execution(* *.ingest(..));
  }

  /**
   * Older servlets: {@code /get}, {@code /search}, {@code /listDatastreams}, {@code /listMethods},
   * {@code /getObjectHistory}, {@code /describe}, {@code /management/getNextPID}; and {@code /getDS}, by which services
   * read content.
   */
  public static aspect AccessServlets extends TimedStage {
    AccessServlets() {
      super("servlet.access");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.access.FedoraAccessServlet
            || fedora.server.access.FedoraAccessServlet).doGet(..))
        || execution(* (org.fcrepo.server.access.FieldSearchServlet
            || fedora.server.access.FieldSearchServlet).doGet(..))
        || execution(* (org.fcrepo.server.access.ListDatastreamsServlet
            || fedora.server.access.ListDatastreamsServlet).doGet(..))
        || execution(* (org.fcrepo.server.access.ListMethodsServlet
            || fedora.server.access.ListMethodsServlet).doGet(..))
        || execution(* (org.fcrepo.server.access.GetObjectHistoryServlet
            || fedora.server.access.GetObjectHistoryServlet).doGet(..))
        || execution(* (org.fcrepo.server.access.DescribeRepositoryServlet
            || fedora.server.access.DescribeRepositoryServlet).doGet(..))
        || execution(* (org.fcrepo.server.access.dissemination.DatastreamResolverServlet
            || fedora.server.access.dissemination.DatastreamResolverServlet).doGet(..))
        || execution(* (org.fcrepo.server.management.GetNextPIDServlet
            || fedora.server.management.GetNextPIDServlet).doGet(..));
  }

  /**
   * Queries of the triplestore over HTTP, with their answer; {@code flush=true} flushes here. The overload that has a
   * servlet's own two parameters calls this one.
   */
  public static aspect RiSearch extends TimedStage {
    RiSearch() {
      super("risearch");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.access.RISearchServlet || fedora.server.access.RISearchServlet).doGet(*, *, *));
  }

  /** OAI-PMH, all verbs. */
  public static aspect Oai extends TimedStage {
    Oai() {
      super("oai");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.oai.OAIProviderServlet || fedora.oai.OAIProviderServlet).doGet(..));
  }

  /**
   * Says that a request is a query of the triplestore or of OAI. Has the lower precedence, so that it runs when the
   * trace is open.
   */
  public static aspect QueryOperations {
    declare precedence: RiSearch, Oai, QueryOperations;

    before():
        execution(* (org.fcrepo.server.access.RISearchServlet || fedora.server.access.RISearchServlet).doGet(*, *, *)) {
      Recorder.noteOperation("risearch");
    }

    before(): execution(* (org.fcrepo.oai.OAIProviderServlet || fedora.oai.OAIProviderServlet).doGet(..)) {
      Recorder.noteOperation("oai");
    }
  }
}
