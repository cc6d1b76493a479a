package org.fedometer.datasets.workloads;

import static org.fedometer.datasets.FedoraVocabulary.HAS_PART;

import java.util.List;
import java.util.stream.LongStream;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.Relationship;

/**
 * One parent that states all its children, and is rewritten for each. This is the second form in
 * Wead's comparison of repository back ends, whose cost grows with the parent. The parent is object
 * 0 and has no earlier versions, which would otherwise number one per child. Workers share one
 * instance.
 */
public final class NestedWorks extends Workload {

  public static final String NAME = "nested";

  public static final DatasetKind KIND =
      new DatasetKind(
          NAME,
          "a parent and its children; the parent states them and is rewritten for each",
          List.of());

  private NestedWorks(DatasetOptions options) {
    super(NAME, options);
  }

  public static NestedWorks open(String text, DatasetOptions options) {
    Parameters.parse(KIND, text);
    return new NestedWorks(options);
  }

  @Override
  public long leadingObjects() {
    return 1;
  }

  @Override
  public ComposedObject object(long index) {
    requireObject(index);
    return index == 0
        ? work(parentPid(), "Parent", List.of())
        : work(childPid(index), "Child " + index, List.of());
  }

  private String parentPid() {
    return options.pid("PARENT", 0);
  }

  private String childPid(long index) {
    return options.pid("CHILD", index);
  }

  private static ComposedObject work(String pid, String title, List<Relationship> relationships) {
    return new ComposedObject(pid, title, List.of(), dublinCore(pid, title), relationships, false);
  }

  @Override
  public List<AddedStatement> additions(long index) {
    requireObject(index);
    return index == 0 ? List.of() : List.of(new AddedStatement(parentPid(), child(index)));
  }

  private Relationship child(long index) {
    return Relationship.toResource(HAS_PART, "info:fedora/" + childPid(index));
  }

  @Override
  public ComposedObject finished(long index, long first, long count) {
    return index != 0
        ? object(index)
        : work(
            parentPid(),
            "Parent",
            LongStream.range(Math.max(1, first), first + count).mapToObj(this::child).toList());
  }

  @Override
  public long meanObjectBytes() {
    return 0;
  }
}
