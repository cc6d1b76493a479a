package org.fedometer.aspects;

/**
 * Files: content that comes in, and the low-level store. Its modules delegate to the classes named here. Akubra's has
 * overloads without hints since Fedora 3.6, which call those with hints; nothing in Fedora calls the former, so nothing
 * is counted twice.
 */
@StageGroup("Files")
public final class StoreStages {

  private StoreStages() {}

  /** Content by URL: the connection and the head of the answer; the body is read while it is stored. */
  public static aspect FetchContent extends TimedStage {
    FetchContent() {
      super("content.fetch");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultExternalContentManager
            || fedora.server.storage.DefaultExternalContentManager).getExternalContent(..));
  }

  /** Content that a client uploads before the ingest that refers to it. */
  public static aspect Upload extends TimedStage {
    Upload() {
      super("content.upload");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).putTempStream(..));
  }

  /** An empty temporary file: for the request's body, and for content that is in it. */
  public static aspect TemporaryFile extends TimedStage {
    TemporaryFile() {
      super("content.temporary-file");
    }

    protected pointcut timed():
        call(* java.io.File.createTempFile(..))
        && (within(org.fcrepo.server.storage.DefaultDOManager || fedora.server.storage.DefaultDOManager)
        || within(org.fcrepo.server.storage.translation.handlers.FOXMLContentHandler)
        || within(org.fcrepo.server.storage.translation.handlers.METSContentHandler)
        || within(org.fcrepo.server.storage.translation.FOXMLDODeserializer
            || fedora.server.storage.translation.FOXMLDODeserializer)
        || within(org.fcrepo.server.storage.translation.METSFedoraExtDODeserializer
            || fedora.server.storage.translation.METSFedoraExtDODeserializer)
        || within(org.fcrepo.server.storage.translation.AtomDODeserializer
            || fedora.server.storage.translation.AtomDODeserializer));
  }

  /** Deleting temporary files: the request's body, and content that was in it. */
  public static aspect DiscardContent extends TimedStage {
    DiscardContent() {
      super("content.discard");
    }

    protected pointcut timed():
        call(* java.io.File.delete())
        && within(org.fcrepo.server.storage.DefaultDOManager || fedora.server.storage.DefaultDOManager);
  }

  /** One managed datastream, to Akubra or to the legacy store. */
  public static aspect StoreDatastream extends TimedStage {
    StoreDatastream() {
      super("store.datastream");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage
            || fedora.server.storage.lowlevel.akubra.AkubraLowlevelStorage).addDatastream(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage
            || fedora.server.storage.lowlevel.DefaultLowlevelStorage).addDatastream(..));
  }

  /** The object's FOXML, to Akubra or to the legacy store. */
  public static aspect StoreFoxml extends TimedStage {
    StoreFoxml() {
      super("store.foxml");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage
            || fedora.server.storage.lowlevel.akubra.AkubraLowlevelStorage).addObject(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage
            || fedora.server.storage.lowlevel.DefaultLowlevelStorage).addObject(..));
  }

  /** A datastream in place of one that is there. */
  public static aspect ReplaceDatastream extends TimedStage {
    ReplaceDatastream() {
      super("store.replace-datastream");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage
            || fedora.server.storage.lowlevel.akubra.AkubraLowlevelStorage).replaceDatastream(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage
            || fedora.server.storage.lowlevel.DefaultLowlevelStorage).replaceDatastream(..));
  }

  /** FOXML in place of what is there: each update. */
  public static aspect ReplaceFoxml extends TimedStage {
    ReplaceFoxml() {
      super("store.replace-foxml");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage
            || fedora.server.storage.lowlevel.akubra.AkubraLowlevelStorage).replaceObject(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage
            || fedora.server.storage.lowlevel.DefaultLowlevelStorage).replaceObject(..));
  }

  /** A datastream, opened; it is read later. */
  public static aspect RetrieveDatastream extends TimedStage {
    RetrieveDatastream() {
      super("store.retrieve-datastream");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage
            || fedora.server.storage.lowlevel.akubra.AkubraLowlevelStorage).retrieveDatastream(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage
            || fedora.server.storage.lowlevel.DefaultLowlevelStorage).retrieveDatastream(..));
  }

  /** FOXML, opened; it is read later. */
  public static aspect RetrieveFoxml extends TimedStage {
    RetrieveFoxml() {
      super("store.retrieve-foxml");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage
            || fedora.server.storage.lowlevel.akubra.AkubraLowlevelStorage).retrieveObject(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage
            || fedora.server.storage.lowlevel.DefaultLowlevelStorage).retrieveObject(..));
  }

  /** A datastream, gone. */
  public static aspect RemoveDatastream extends TimedStage {
    RemoveDatastream() {
      super("store.remove-datastream");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage
            || fedora.server.storage.lowlevel.akubra.AkubraLowlevelStorage).removeDatastream(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage
            || fedora.server.storage.lowlevel.DefaultLowlevelStorage).removeDatastream(..));
  }

  /** FOXML, gone. */
  public static aspect RemoveFoxml extends TimedStage {
    RemoveFoxml() {
      super("store.remove-foxml");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage
            || fedora.server.storage.lowlevel.akubra.AkubraLowlevelStorage).removeObject(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage
            || fedora.server.storage.lowlevel.DefaultLowlevelStorage).removeObject(..));
  }

  /** Whether there is FOXML that the registry does not know of. */
  public static aspect StoreExists extends TimedStage {
    StoreExists() {
      super("store.exists");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage
            || fedora.server.storage.lowlevel.akubra.AkubraLowlevelStorage).objectExists(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage
            || fedora.server.storage.lowlevel.DefaultLowlevelStorage).objectExists(..));
  }

  /** The legacy store's table of paths. */
  public static aspect PathRegistry extends TimedStage {
    PathRegistry() {
      super("store.path-registry");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.lowlevel.DBPathRegistry
            || fedora.server.storage.lowlevel.DBPathRegistry).put(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DBPathRegistry
            || fedora.server.storage.lowlevel.DBPathRegistry).get(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DBPathRegistry
            || fedora.server.storage.lowlevel.DBPathRegistry).exists(..))
        || execution(* (org.fcrepo.server.storage.lowlevel.DBPathRegistry
            || fedora.server.storage.lowlevel.DBPathRegistry).remove(..));
  }
}
