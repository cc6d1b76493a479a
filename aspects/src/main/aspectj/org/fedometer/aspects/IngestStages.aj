package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;

/**
 * Fedora's work on one object between {@code Management.ingest} and its commit; updates pass some of these stages too.
 */
@StageGroup("Ingest")
public final class IngestStages {

  private IngestStages() {}

  @Described(value = "all of an ingest behind REST and SOAP", calls = "1")
  public static aspect Ingest extends TimedStage {
    Ingest() {
      super("ingest");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).ingest(..));
  }

  /**
   * Marks the trace as an ingest, names its object, and marks it failed with the ingest, since the REST layer turns
   * exceptions into responses. Has the lower precedence, so that it runs while the trace is open.
   */
  public static aspect IngestedObject {
    declare precedence: Ingest, IngestedObject;

    private static final String WANTS_A_NEW_PID = "new";

    pointcut ingest():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).ingest(..));

    before(): ingest() {
      Recorder.noteOperation("ingest");
    }

    before(String requestedPid): ingest() && args(.., requestedPid) {
      if (!WANTS_A_NEW_PID.equals(requestedPid)) {
        Recorder.notePid(requestedPid);
      }
    }

    after() returning(String pid): ingest() {
      Recorder.notePid(pid);
    }

    after() throwing: ingest() {
      Recorder.noteFailure();
    }
  }

  @Described(
      value = "everything before authorization and commit: validation, parsing, PID, lock, registry", calls = "1")
  public static aspect Prepare extends TimedStage {
    Prepare() {
      super("ingest.prepare");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).getIngestWriter(..));
  }

  /** A call, since other code copies streams by the same method. */
  @Described(
      value = "the body, from the network to a temporary file", calls = "1",
      knob = "network; disk of `java.io.tmpdir`")
  public static aspect Receive extends TimedStage {
    Receive() {
      super("ingest.receive");
    }

    protected pointcut timed():
        call(* (org.fcrepo.server.utilities.StreamUtility || fedora.server.utilities.StreamUtility).pipeStream(..))
            && within(org.fcrepo.server.storage.DefaultDOManager || fedora.server.storage.DefaultDOManager);
  }

  @Described(
      value = "FOXML to object: what the client sent, then, as a check, what Fedora wrote; content inside the FOXML "
          + "is decoded here; an update: what was stored", calls = "2", knob = "less content inside the FOXML")
  public static aspect Parse extends TimedStage {
    Parse() {
      super("ingest.parse");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.translation.DOTranslatorImpl
            || fedora.server.storage.translation.DOTranslatorImpl).deserialize(..));
  }

  /** The overload on a file, which the one on a stream may call. */
  @Described(value = "the two validations", calls = "1", knob = "`fedora.validation`")
  public static aspect Validate extends TimedStage {
    Validate() {
      super("ingest.validate");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.validation.DOValidatorImpl
            || fedora.server.validation.DOValidatorImpl).validate(java.io.File, ..));
  }

  @Described(
      value = "by XML Schema; reads the document once more", calls = "1", knob = "`fedora.validation=schematron`")
  public static aspect ValidateXsd extends TimedStage {
    ValidateXsd() {
      super("ingest.validate.xsd");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.validation.DOValidatorImpl
            || fedora.server.validation.DOValidatorImpl).validateXMLSchema(..));
  }

  @Described(value = "by Schematron; reads the document once more", calls = "1", knob = "`fedora.validation=schema`")
  public static aspect ValidateSchematron extends TimedStage {
    ValidateSchematron() {
      super("ingest.validate.schematron");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.validation.DOValidatorImpl
            || fedora.server.validation.DOValidatorImpl).validateByRules(..));
  }

  @Described(
      value = "RELS-EXT, RELS-INT and DC by the rules that Fedora has for each", calls = "1",
      knob = "fewer relationships")
  public static aspect ValidateReserved extends TimedStage {
    ValidateReserved() {
      super("ingest.validate.reserved");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.validation.ValidationUtility
            || fedora.server.validation.ValidationUtility).validateReservedDatastreams(..));
  }

  @Described(
      value = "content model validation at commit; nothing unless switched on", versions = "3.6", calls = "1; 3.5: 0",
      knob = "`doobjectvalidator.xml`", golden = {1, 1, 0, 0})
  public static aspect ValidateObject extends TimedStage {
    ValidateObject() {
      super("ingest.validate.object");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.validation.DOObjectValidatorModule.validate(..));
  }

  @Described(
      value = "a new PID, or never to generate the given one; both under one lock", calls = "1",
      knob = "`fedora.pids=named`")
  public static aspect Pid extends TimedStage {
    Pid() {
      super("ingest.pid");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DBPIDGenerator
            || fedora.server.management.DBPIDGenerator).neverGeneratePID(..))
        || execution(* (org.fcrepo.server.management.DBPIDGenerator
            || fedora.server.management.DBPIDGenerator).generatePID(..));
  }

  @Described(
      value = "the object's write lock: from 3.7 on **waiting** for it, before that a refusal where it is taken",
      calls = "1", knob = "one client for one object")
  public static aspect Lock extends TimedStage {
    Lock() {
      super("ingest.lock");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).getWriteLock(..));
  }

  @Described(value = "is the PID taken", calls = "1")
  public static aspect Exists extends TimedStage {
    Exists() {
      super("ingest.exists");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).objectExists(..));
  }

  @Described(value = "DC read and written again with the PID in it", calls = "1")
  public static aspect DublinCore extends TimedStage {
    DublinCore() {
      super("ingest.dublin-core");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).populateDC(..));
  }

  @Described(
      value = "content, FOXML, triples, registry version, search fields. Self time: log, hints, what ties them "
          + "together. Up to 3.5 a commit of a new object that fails has another one inside, which removes what "
          + "there is of it", calls = "1", knob = "level of the log")
  public static aspect Commit extends TimedStage {
    Commit() {
      super("ingest.commit");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).doCommit(..));
  }

  @Described(value = "object to FOXML, in memory", calls = "1")
  public static aspect Serialize extends TimedStage {
    Serialize() {
      super("ingest.serialize");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.translation.DOTranslatorImpl
            || fedora.server.storage.translation.DOTranslatorImpl).serialize(..));
  }

  @Described(
      value = "one datastream's checksum; reads its content again", calls = "0; with `autoChecksum` each",
      knob = "`fedora.checksum`")
  public static aspect Checksum extends TimedStage {
    Checksum() {
      super("ingest.checksum");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.types.Datastream
            || fedora.server.storage.types.Datastream).computeChecksum(..));
  }
}
