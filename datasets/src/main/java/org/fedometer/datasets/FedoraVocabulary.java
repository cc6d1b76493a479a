package org.fedometer.datasets;

/** Fedora 3's names in RDF: its ontologies, and the relationships used here. */
public final class FedoraVocabulary {

  public static final String MODEL = "info:fedora/fedora-system:def/model#";
  public static final String VIEW = "info:fedora/fedora-system:def/view#";
  public static final String RELATIONS_EXTERNAL =
      "info:fedora/fedora-system:def/relations-external#";

  public static final String HAS_MODEL = MODEL + "hasModel";
  public static final String HAS_PART = RELATIONS_EXTERNAL + "hasPart";
  public static final String IS_MEMBER_OF_COLLECTION = RELATIONS_EXTERNAL + "isMemberOfCollection";

  /** Fedora's own content model, which every object has. */
  public static final String OBJECT_MODEL = "info:fedora/fedora-system:FedoraObject-3.0";

  private FedoraVocabulary() {}
}
