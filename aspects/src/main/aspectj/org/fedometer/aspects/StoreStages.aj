package org.fedometer.aspects;

/** Files: content that comes in, and the low-level store. Its modules delegate to the classes named here. */
public final class StoreStages {

  private StoreStages() {}

  /** Content by URL. */
  public static aspect FetchContent extends TimedStage {
    FetchContent() {
      super("content.fetch");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.storage.DefaultExternalContentManager.getExternalContent(..));
  }

  /** Content that a client uploads before the ingest that refers to it. */
  public static aspect Upload extends TimedStage {
    Upload() {
      super("content.upload");
    }

    protected pointcut timed(): execution(* org.fcrepo.server.management.DefaultManagement.putTempStream(..));
  }

  /** Deleting temporary files: the request's body, and content that was in it. */
  public static aspect DiscardContent extends TimedStage {
    DiscardContent() {
      super("content.discard");
    }

    protected pointcut timed(): call(* java.io.File.delete()) && within(org.fcrepo.server.storage.DefaultDOManager);
  }

  /** One managed datastream, to Akubra or to the legacy store. */
  public static aspect StoreDatastream extends TimedStage {
    StoreDatastream() {
      super("store.datastream");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage.addDatastream(..))
        || execution(* org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage.addDatastream(..));
  }

  /** The object's FOXML, to Akubra or to the legacy store. */
  public static aspect StoreFoxml extends TimedStage {
    StoreFoxml() {
      super("store.foxml");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.storage.lowlevel.akubra.AkubraLowlevelStorage.addObject(..))
        || execution(* org.fcrepo.server.storage.lowlevel.DefaultLowlevelStorage.addObject(..));
  }
}
