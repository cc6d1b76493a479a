package org.fedometer.datasets.workloads;

import static org.fedometer.datasets.FedoraVocabulary.IS_MEMBER_OF_COLLECTION;

import java.util.List;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.Relationship;

/**
 * One collection, then its members; each member states the relation, so that none is rewritten.
 * This is the first form in Wead's comparison of repository back ends. Workers share one instance.
 */
public final class CollectionMembers extends Workload {

  public static final String NAME = "collections";

  public static final DatasetKind KIND =
      new DatasetKind(
          NAME, "a collection and its members; the member states the relation", List.of());

  private CollectionMembers(DatasetOptions options) {
    super(NAME, options);
  }

  public static CollectionMembers open(String text, DatasetOptions options) {
    Parameters.parse(KIND, text);
    return new CollectionMembers(options);
  }

  /** Returns 1, because the collection is object 0. */
  @Override
  public long leadingObjects() {
    return 1;
  }

  @Override
  public ComposedObject object(long index) {
    requireObject(index);
    String collection = options.pid("COLLECTION", 0);
    String pid = index == 0 ? collection : options.pid("MEMBER", index);
    String title = index == 0 ? "Collection" : "Member " + index;
    return titled(
        pid,
        title,
        List.of(),
        index == 0
            ? List.of()
            : List.of(
                Relationship.toResource(IS_MEMBER_OF_COLLECTION, "info:fedora/" + collection)));
  }

  @Override
  public long meanObjectBytes() {
    return 0;
  }
}
