package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;

/**
 * What Fedora does to one object between {@code Management.ingest} and its commit; an update passes some of it, too.
 */
@StageGroup("Ingest")
public final class IngestStages {

  private IngestStages() {}

  /** The whole ingest behind REST and SOAP. */
  public static aspect Ingest extends TimedStage {
    Ingest() {
      super("ingest");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).ingest(..));
  }

  /**
   * Names the trace by its object and as an ingest, and marks it failed with its ingest: the REST layer turns
   * exceptions into answers. Has the lower precedence, so that it runs while the trace is open.
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

  /** Everything before the commit: validation, parsing, PID, lock, registry. */
  public static aspect Prepare extends TimedStage {
    Prepare() {
      super("ingest.prepare");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).getIngestWriter(..));
  }

  /**
   * The request's body, read from the network and copied to a temporary file. A call: other code copies streams by the
   * same method.
   */
  public static aspect Receive extends TimedStage {
    Receive() {
      super("ingest.receive");
    }

    protected pointcut timed():
        call(* (org.fcrepo.server.utilities.StreamUtility || fedora.server.utilities.StreamUtility).pipeStream(..))
            && within(org.fcrepo.server.storage.DefaultDOManager || fedora.server.storage.DefaultDOManager);
  }

  /** Twice an ingest: what the client sent, and, as a check, what Fedora wrote. */
  public static aspect Parse extends TimedStage {
    Parse() {
      super("ingest.parse");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.translation.DOTranslatorImpl
            || fedora.server.storage.translation.DOTranslatorImpl).deserialize(..));
  }

  /** The overload on a file; the one on a stream may call it. */
  public static aspect Validate extends TimedStage {
    Validate() {
      super("ingest.validate");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.validation.DOValidatorImpl
            || fedora.server.validation.DOValidatorImpl).validate(java.io.File, ..));
  }

  /** XML Schema part of the validation. */
  public static aspect ValidateXsd extends TimedStage {
    ValidateXsd() {
      super("ingest.validate.xsd");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.validation.DOValidatorImpl
            || fedora.server.validation.DOValidatorImpl).validateXMLSchema(..));
  }

  /** Schematron part of the validation. */
  public static aspect ValidateSchematron extends TimedStage {
    ValidateSchematron() {
      super("ingest.validate.schematron");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.validation.DOValidatorImpl
            || fedora.server.validation.DOValidatorImpl).validateByRules(..));
  }

  /** RELS-EXT, RELS-INT and DC by the rules that Fedora has for each. */
  public static aspect ValidateReserved extends TimedStage {
    ValidateReserved() {
      super("ingest.validate.reserved");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.validation.ValidationUtility
            || fedora.server.validation.ValidationUtility).validateReservedDatastreams(..));
  }

  /** Content model validation at commit; does nothing unless it is switched on. */
  public static aspect ValidateObject extends TimedStage {
    ValidateObject() {
      super("ingest.validate.object");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.validation.DOObjectValidatorModule.validate(..));
  }

  /** A new PID, or the promise never to generate the given one; both under one lock. */
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

  /** The object's write lock. */
  public static aspect Lock extends TimedStage {
    Lock() {
      super("ingest.lock");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).getWriteLock(..));
  }

  /** Whether the PID is taken. */
  public static aspect Exists extends TimedStage {
    Exists() {
      super("ingest.exists");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).objectExists(..));
  }

  /** The default DC datastream, read and written again with the PID in it. */
  public static aspect DublinCore extends TimedStage {
    DublinCore() {
      super("ingest.dublin-core");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).populateDC(..));
  }

  /** Content, FOXML, triples, registry version, search fields. */
  public static aspect Commit extends TimedStage {
    Commit() {
      super("ingest.commit");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultDOManager
            || fedora.server.storage.DefaultDOManager).doCommit(..));
  }

  /** The object as FOXML, in memory. */
  public static aspect Serialize extends TimedStage {
    Serialize() {
      super("ingest.serialize");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.translation.DOTranslatorImpl
            || fedora.server.storage.translation.DOTranslatorImpl).serialize(..));
  }

  /** The checksum of one datastream; reads its content again. */
  public static aspect Checksum extends TimedStage {
    Checksum() {
      super("ingest.checksum");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.types.Datastream
            || fedora.server.storage.types.Datastream).computeChecksum(..));
  }
}
