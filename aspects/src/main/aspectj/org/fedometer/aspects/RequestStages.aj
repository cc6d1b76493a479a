package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;

/** The path of a request from Tomcat to Fedora's management and access interfaces. */
@StageGroup("Requests")
public final class RequestStages {

  private RequestStages() {}

  @Described(value = "the whole request; root of its trace. Self time: Tomcat", calls = "1", knob = "connector")
  public static aspect Request extends TimedStage {
    Request() {
      super("http.request");
    }

    protected pointcut timed(): execution(* org.apache.catalina.core.StandardWrapperValve.invoke(..));
  }

  /**
   * Notes the traceparent and HTTP method of the request and whether its response is a failure. Has the lower
   * precedence, so that it runs while the trace is open.
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

    /** Servlets that catch exceptions respond with a status and throw nothing. */
    after(Object response) returning:
        execution(* org.apache.catalina.core.StandardWrapperValve.invoke(*, *)) && args(*, response) {
      if (Recorder.isOn() && RequestHeaders.isServerError(response)) {
        Recorder.noteFailure();
      }
    }
  }

  /** A call, since each filter calls the next by the same method. */
  @Described(value = "all filters and the servlet. Self time: the filters", calls = "1", knob = "Spring Security")
  public static aspect Filters extends TimedStage {
    Filters() {
      super("http.filters");
    }

    protected pointcut timed():
        call(* org.apache.catalina.core.ApplicationFilterChain.doFilter(..))
        && within(org.apache.catalina.core.StandardWrapperValve);
  }

  /** The {@code doFilter} of these would wrap the whole request. */
  @Described(
      value = "the login: the JAAS filter's own work, or before it that of the filter of users in XML, LDAP or "
          + "Pubcookie", versions = "all; 3.3 has `S.jaas`", calls = "1", knob = "cookies; `fedora-users.xml` or LDAP")
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

  @Described(
      value = "CXF, Jersey or Axis. Self time: finding the resource, reading parameters, writing the answer, so "
          + "content that is read", calls = "1", knob = "connector")
  public static aspect Dispatch extends TimedStage {
    Dispatch() {
      super("http.dispatch");
    }

    protected pointcut timed():
        execution(* org.apache.cxf.transport.servlet.CXFNonSpringServlet.invoke(..))
        || execution(* com.sun.jersey.spi.container.servlet.ServletContainer.service(java.net.URI, java.net.URI, ..))
        || execution(* org.apache.axis.transport.http.AxisServlet.doPost(..));
  }

  /** {@code newObject} calls it. */
  @Described(value = "the REST resource of an ingest", versions = "all; to 3.5 `FedoraObjectResource`", calls = "1")
  public static aspect CreateObject extends TimedStage {
    CreateObject() {
      super("rest.create-object");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.rest.FedoraObjectsResource.createObject(..))
        || execution(* (org.fcrepo.server.rest.FedoraObjectResource
            || fedora.server.rest.FedoraObjectResource).createObject(..));
  }

  @Described(
      value = "finding the body; a multipart body is read here", calls = "1", knob = "raw instead of multipart bodies")
  public static aspect ReadContent extends TimedStage {
    ReadContent() {
      super("rest.read-content");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.rest.RestUtil || fedora.server.rest.RestUtil).getRequestContent(..));
  }

  @Described(
      value = "other requests for objects: read, change, purge, relationships, new PIDs",
      versions = "all; to 3.5 `FedoraObjectResource`")
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

  @Described("requests for datastreams")
  public static aspect Datastreams extends TimedStage {
    Datastreams() {
      super("rest.datastreams");
    }

    protected pointcut timed():
        execution(public !static * (org.fcrepo.server.rest.DatastreamResource
            || fedora.server.rest.DatastreamResource).*(..));
  }

  @Described(value = "search by fields", versions = "all; to 3.5 `FedoraObjectSearchResource`")
  public static aspect Search extends TimedStage {
    Search() {
      super("rest.search");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.rest.FedoraObjectsResource.searchObjects(..))
        || execution(* (org.fcrepo.server.rest.FedoraObjectSearchResource
            || fedora.server.rest.FedoraObjectSearchResource).searchObjects(..));
  }

  @Described("methods, listed and called")
  public static aspect Methods extends TimedStage {
    Methods() {
      super("rest.methods");
    }

    protected pointcut timed():
        execution(public !static * (org.fcrepo.server.rest.MethodResource || fedora.server.rest.MethodResource).*(..));
  }

  @Described(value = "the repository's description; schemas", versions = "3.6")
  public static aspect Repository extends TimedStage {
    Repository() {
      super("rest.repository");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.rest.DescribeRepositoryResource.describe(..))
        || execution(* org.fcrepo.server.rest.SchemaResource.getSchema(..));
  }

  @Described(
      value = "content sent ahead, by REST or by the older servlet", versions = "all; `UploadResource` from 3.4 on",
      knob = "give content by URL, from a server near Fedora")
  public static aspect Upload extends TimedStage {
    Upload() {
      super("rest.upload");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.upload.UploadResource.upload(..))
        || execution(* (org.fcrepo.server.management.UploadServlet
            || fedora.server.management.UploadServlet).doPost(..));
  }

  @Described(value = "ingest by SOAP", versions = "all; to 3.5 `FedoraAPIMBindingSOAPHTTPImpl`", knob = "REST")
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

  @Described(value = "all else by SOAP", knob = "REST")
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

  @Described(
      "older servlets that read or search, or give a PID: `/get`, `/search`, `/listDatastreams`, `/listMethods`, "
          + "`/getObjectHistory`, `/describe`, `/management/getNextPID`; `/getDS`, by which services read content")
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

  /** The overload with a servlet's two parameters calls this one. */
  @Described(value = "queries of the triplestore and their answer; `flush=true` flushes here", knob = "the query")
  public static aspect RiSearch extends TimedStage {
    RiSearch() {
      super("risearch");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.access.RISearchServlet || fedora.server.access.RISearchServlet).doGet(*, *, *));
  }

  @Described("OAI-PMH, all verbs")
  public static aspect Oai extends TimedStage {
    Oai() {
      super("oai");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.oai.OAIProviderServlet || fedora.oai.OAIProviderServlet).doGet(..));
  }

  /**
   * Marks a request as a query of the triplestore or of OAI. Has the lower precedence, so that it runs while the trace
   * is open.
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
