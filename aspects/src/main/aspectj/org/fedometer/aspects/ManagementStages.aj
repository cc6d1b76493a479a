package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;

/** The operations behind REST and SOAP except ingest: reads, updates, purges. */
@StageGroup("Updates, purges, reads")
public final class ManagementStages {

  private ManagementStages() {}

  @Described("state, label or owner of an object")
  public static aspect ModifyObject extends TimedStage {
    ModifyObject() {
      super("update.object");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).modifyObject(..));
  }

  @Described("a datastream new or changed; a relationship, which is a triple in one")
  public static aspect ModifyDatastream extends TimedStage {
    ModifyDatastream() {
      super("update.datastream");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).addDatastream(..))
        || execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).modifyDatastream*(..))
        || execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).setDatastream*(..))
        || execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).addRelationship(..))
        || execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).purgeRelationship(..));
  }

  @Described("an object, or a datastream or some of its versions, for good")
  public static aspect Purge extends TimedStage {
    Purge() {
      super("purge");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).purgeObject(..))
        || execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).purgeDatastream(..));
  }

  @Described("profile, FOXML, export, lists")
  public static aspect ReadObject extends TimedStage {
    ReadObject() {
      super("read.object");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).getObjectXML(..))
        || execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).export(..))
        || execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).stream(..))
        || execution(* (org.fcrepo.server.access.DefaultAccess || fedora.server.access.DefaultAccess).getObject*(..))
        || execution(* (org.fcrepo.server.access.DefaultAccess || fedora.server.access.DefaultAccess).list*(..));
  }

  @Described("what is known of datastreams; not their content")
  public static aspect ReadDatastream extends TimedStage {
    ReadDatastream() {
      super("read.datastream");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).getDatastream*(..))
        || execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).compareDatastreamChecksum(..))
        || execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).getRelationships(..));
  }

  @Described("content, opened; it is read in `http.dispatch`")
  public static aspect ReadContent extends TimedStage {
    ReadContent() {
      super("read.content");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.access.DefaultAccess
            || fedora.server.access.DefaultAccess).getDatastreamDissemination(..));
  }

  @Described("a method of an object")
  public static aspect Disseminate extends TimedStage {
    Disseminate() {
      super("read.dissemination");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.access.DefaultAccess
            || fedora.server.access.DefaultAccess).getDissemination(..));
  }

  @Described(
      value = "an object for reading; without `store.retrieve-foxml` inside it came from the cache",
      calls = "0; with XACML some", knob = "cache")
  public static aspect OpenToRead extends TimedStage {
    OpenToRead() {
      super("object.open-to-read");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).get*Reader(..));
  }

  @Described(value = "an object for changing: lock, FOXML, parsing", knob = "smaller objects")
  public static aspect OpenToWrite extends TimedStage {
    OpenToWrite() {
      super("object.open-to-write");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).getWriter(..));
  }

  @Described(
      value = "putting an object into the cache: once for each that was not there",
      knob = "`readerCacheSize`, `readerCacheSeconds`")
  public static aspect CacheMiss extends TimedStage {
    CacheMiss() {
      super("object.cache-miss");
    }

    protected pointcut timed():
        call(* (org.fcrepo.server.storage.DOReaderCache || fedora.server.storage.DOReaderCache).put(..))
            && within(org.fcrepo.server.storage.DefaultDOManager || fedora.server.storage.DefaultDOManager);
  }

  /**
   * Notes operation, object and failure of each request except an ingest, since the REST layer turns exceptions into
   * responses. Fedora may run nested operations for one request, and may expect an exception there. The first change
   * counts, or the first operation if nothing is changed. Has the lower precedence, so that it runs while the trace is
   * open. Every operation that begins here also ends here.
   */
  public static aspect Operations {
    declare precedence: ModifyObject, ModifyDatastream, Purge, ReadObject, ReadDatastream, ReadContent, Disseminate,
        StoreStages.Upload, Operations;

    pointcut management():
        within(org.fcrepo.server.management.DefaultManagement || fedora.server.management.DefaultManagement);

    pointcut access(): within(org.fcrepo.server.access.DefaultAccess || fedora.server.access.DefaultAccess);

    pointcut operation():
        (management()
            && (execution(* modifyObject(..)) || execution(* purgeObject(..)) || execution(* addDatastream(..))
            || execution(* modifyDatastream*(..)) || execution(* setDatastream*(..)) || execution(* purgeDatastream(..))
            || execution(* getDatastream(..)) || execution(* getDatastreams(..))
            || execution(* getDatastreamHistory(..)) || execution(* compareDatastreamChecksum(..))
            || execution(* getObjectXML(..)) || execution(* export(..)) || execution(* stream(..))
            || execution(* validate(..)) || execution(* getRelationships(..))
            || execution(* addRelationship(..)) || execution(* purgeRelationship(..)) || execution(* getNextPID(..))
            || execution(* putTempStream(..))))
        || (access()
            && (execution(* getDatastreamDissemination(..)) || execution(* getDissemination(..))
            || execution(* getObjectProfile(..)) || execution(* listDatastreams(..)) || execution(* listMethods(..))
            || execution(* getObjectHistory(..)) || execution(* findObjects(..)) || execution(* resumeFindObjects(..))
            || execution(* describeRepository(..))));

    before(String pid): execution(* modifyObject(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("modify-object", pid, true);
    }

    before(String pid): execution(* purgeObject(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("purge-object", pid, true);
    }

    before(String pid): execution(* addDatastream(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("add-datastream", pid, true);
    }

    before(String pid): execution(* modifyDatastream*(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("modify-datastream", pid, true);
    }

    before(String pid): execution(* setDatastream*(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("modify-datastream", pid, true);
    }

    before(String pid): execution(* purgeDatastream(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("purge-datastream", pid, true);
    }

    before(String pid): execution(* getDatastream(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("get-datastream", pid, false);
    }

    before(String pid): execution(* getDatastreams(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("list-datastreams", pid, false);
    }

    before(String pid): execution(* getDatastreamHistory(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("get-datastream-history", pid, false);
    }

    before(String pid): execution(* compareDatastreamChecksum(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("compare-datastream-checksum", pid, false);
    }

    before(String pid): execution(* getObjectXML(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("get-object-xml", pid, false);
    }

    before(String pid): execution(* export(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("export", pid, false);
    }

    before(String pid): execution(* stream(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("export", pid, false);
    }

    before(String pid): execution(* validate(..)) && management() && args(*, pid, ..) {
      Recorder.operationBegins("validate", pid, false);
    }

    before(): execution(* getRelationships(..)) && management() {
      Recorder.operationBegins("get-relationships", null, false);
    }

    before(): execution(* addRelationship(..)) && management() {
      Recorder.operationBegins("add-relationship", null, true);
    }

    before(): execution(* purgeRelationship(..)) && management() {
      Recorder.operationBegins("purge-relationship", null, true);
    }

    before(): execution(* getNextPID(..)) && management() {
      Recorder.operationBegins("get-next-pid", null, false);
    }

    before(): execution(* putTempStream(..)) && management() {
      Recorder.operationBegins("upload", null, false);
    }

    before(String pid): execution(* getDatastreamDissemination(..)) && access() && args(*, pid, ..) {
      Recorder.operationBegins("get-datastream-dissemination", pid, false);
    }

    before(String pid): execution(* getDissemination(..)) && access() && args(*, pid, ..) {
      Recorder.operationBegins("get-dissemination", pid, false);
    }

    before(String pid): execution(* getObjectProfile(..)) && access() && args(*, pid, ..) {
      Recorder.operationBegins("get-object-profile", pid, false);
    }

    before(String pid): execution(* listDatastreams(..)) && access() && args(*, pid, ..) {
      Recorder.operationBegins("list-datastreams", pid, false);
    }

    before(String pid): execution(* listMethods(..)) && access() && args(*, pid, ..) {
      Recorder.operationBegins("list-methods", pid, false);
    }

    before(String pid): execution(* getObjectHistory(..)) && access() && args(*, pid, ..) {
      Recorder.operationBegins("get-object-history", pid, false);
    }

    before(): execution(* findObjects(..)) && access() {
      Recorder.operationBegins("find-objects", null, false);
    }

    before(): execution(* resumeFindObjects(..)) && access() {
      Recorder.operationBegins("find-objects", null, false);
    }

    before(): execution(* describeRepository(..)) && access() {
      Recorder.operationBegins("describe-repository", null, false);
    }

    after() returning: operation() {
      Recorder.operationEnds(false);
    }

    after() throwing: operation() {
      Recorder.operationEnds(true);
    }
  }
}
