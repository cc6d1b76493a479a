package org.fedometer.analysis.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.analysis.study.ScaleStudy.Operation;
import org.fedometer.analysis.study.ScaleStudy.Timing;
import org.junit.jupiter.api.Test;

class KiviatViewTest {

  @Test
  void sizesStandOnALogarithmicScaleFromHalfTheSmallestToTwiceTheLargest() {
    // 100 to 1,600 are four doublings, with one before and one after them six.
    assertThat(KiviatView.position(100L, 100, 1600)).isCloseTo(1 / 6.0, within(1e-9));
    assertThat(KiviatView.position(200L, 100, 1600)).isCloseTo(2 / 6.0, within(1e-9));
    assertThat(KiviatView.position(1600L, 100, 1600)).isCloseTo(5 / 6.0, within(1e-9));
    assertThat(KiviatView.position(null, 100, 1600)).isEqualTo(1);
    assertThat(KiviatView.position(100L, 100, 100)).as("the only size").isEqualTo(0.5);
  }

  @Test
  void aLineJoinsTheSizesFromWhichOnOperationsAreAboveItsLimit() {
    // Two sizes, so that they stand at a third and two thirds of the radius of 145.
    KiviatView view =
        KiviatView.of(
            study(
                operation("up", 200, 200),
                operation("right", 20, 200),
                operation("down", 20, 20),
                operation("left", 200, 20)),
            true);

    double middle = Double.parseDouble(view.middleX());
    KiviatView.Line tenth = view.lines().get(2);
    assertThat(tenth.style()).isEqualTo("limit1");
    assertThat(points(tenth))
        .containsExactly(
            List.of(0.0, -48.3), List.of(96.7, 0.0), List.of(0.0, 145.0), List.of(-145.0, 0.0));
    assertThat(tenth.dots())
        .extracting(KiviatView.Dot::never)
        .containsExactly(false, false, true, true);
    assertThat(tenth.dots())
        .extracting(KiviatView.Dot::tooltip)
        .startsWith("up: above 0.1 s from 100 objects on", "right: above 0.1 s from 200 objects on")
        .endsWith("left: not above 0.1 s up to 200 objects");
    assertThat(view.lines().get(0).style()).isEqualTo("limit3");
    assertThat(view.lines().get(0).dots()).allMatch(KiviatView.Dot::never);
    assertThat(view.rings())
        .extracting(KiviatView.Ring::label)
        .containsExactly("100", "200", "never");
    assertThat(middle).isEqualTo(view.width() / 2.0, within(1.0));
  }

  @Test
  void anOperationThatNeverSucceededHasAnAxisAndNoPlaceOnIt() {
    KiviatView view =
        KiviatView.of(
            study(
                operation("a", 20, 20),
                operation("b", 20, 20),
                operation("c", 20, 20),
                new Operation("d", List.of(new Timing(100, 0, 5, 0, 0, 0)))),
            false);

    assertThat(view.axes()).extracting(KiviatView.Axis::failed).endsWith(false, true);
    assertThat(view.axes()).extracting(KiviatView.Axis::label).contains("1 a", "4 d");
    assertThat(view.lines()).allMatch(line -> line.dots().size() == 3);
  }

  @Test
  void twoOperationsEncloseNothing() {
    assertThat(KiviatView.of(study(operation("a", 1, 1), operation("b", 1, 1)), false)).isNull();
  }

  @Test
  void labelsLieWithinTheView() {
    List<Operation> many = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      many.add(operation("W".repeat(60), 20, 20));
    }
    KiviatView view = KiviatView.of(study(many.toArray(new Operation[0])), false);

    assertThat(view.axes())
        .allSatisfy(
            axis -> {
              double width =
                  axis.anchor().equals("start")
                      ? view.width() - Double.parseDouble(axis.labelX())
                      : Double.parseDouble(axis.labelX());
              assertThat(width).isGreaterThan(axis.anchor().equals("middle") ? 100 : 200);
            });
  }

  private static List<List<Double>> points(KiviatView.Line line) {
    List<List<Double>> points = new ArrayList<>();
    for (KiviatView.Dot dot : line.dots()) {
      points.add(List.of(moved(dot.x()), moved(dot.y())));
    }
    return points;
  }

  /** From the middle: the view of 145 has 34 around it. */
  private static double moved(String place) {
    return Math.round((Double.parseDouble(place) - 179) * 10) / 10.0;
  }

  private static ScaleStudy study(Operation... operations) {
    return new ScaleStudy(List.of(100L, 200L), List.of(operations));
  }

  private static Operation operation(String name, double at100, double at200) {
    return new Operation(
        name,
        List.of(
            new Timing(100, 5, 0, at100, at100, at100),
            new Timing(200, 5, 0, at200, at200, at200)));
  }
}
