package org.fedometer.aspects;

/**
 * Files: incoming content and the low-level store, whose modules delegate to the classes named here. Since Fedora 3.6,
 * Akubra's store has overloads without hints that call those with hints. Fedora never calls the former, so nothing is
 * counted twice.
 */
@StageGroup("Files")
public final class StoreStages {

  private StoreStages() {}

  @Described(
      value = "content by URL: connection and head of the answer; the body is read in `store.datastream`",
      calls = "0; by URL 1 each", knob = "web server near Fedora")
  public static aspect FetchContent extends TimedStage {
    FetchContent() {
      super("content.fetch");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.storage.DefaultExternalContentManager
            || fedora.server.storage.DefaultExternalContentManager).getExternalContent(..));
  }

  @Described(value = "content sent ahead, to a file", knob = "disk of FEDORA_HOME")
  public static aspect Upload extends TimedStage {
    Upload() {
      super("content.upload");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.management.DefaultManagement
            || fedora.server.management.DefaultManagement).putTempStream(..));
  }

  @Described(
      value = "an empty file for the body, and one for each content inside it", calls = "1 and 1 each",
      knob = "disk of `java.io.tmpdir`; content by URL", golden = {2, 2, 2, 2})
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

  @Described(
      value = "deleting temporary files", calls = "as many", knob = "disk of `java.io.tmpdir`; content by URL",
      golden = {2, 2, 2, 2})
  public static aspect DiscardContent extends TimedStage {
    DiscardContent() {
      super("content.discard");
    }

    protected pointcut timed():
        call(* java.io.File.delete())
        && within(org.fcrepo.server.storage.DefaultDOManager || fedora.server.storage.DefaultDOManager);
  }

  @Described(
      value = "one datastream to Akubra or the legacy store", calls = "1 each", knob = "`lowlevel`; disk",
      golden = {1, 1, 1, 1})
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

  @Described(value = "the object's FOXML", calls = "1", knob = "`lowlevel`; disk")
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

  @Described("a datastream in place of another")
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

  @Described("FOXML in place of another: each update")
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

  @Described(value = "a datastream, opened; read later", knob = "memory for the system's file cache")
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

  @Described(value = "FOXML, opened; read later", knob = "object cache")
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

  @Described("a datastream, gone for good")
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

  @Described("FOXML, gone for good")
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

  @Described(
      value = "is there FOXML that the registry does not know of", versions = "3.7.1", calls = "1; 3.5: 0",
      knob = "`lowlevel`", golden = {1, 1, 0, 0})
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

  @Described(
      value = "the legacy store's table of paths", calls = "0; legacy: 2 a file, from 3.7.1 on 1 more",
      knob = "`lowlevel=akubra-fs`", golden = {0, 5, 4, 0})
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
