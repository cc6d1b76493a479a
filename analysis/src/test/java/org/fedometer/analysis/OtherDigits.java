package org.fedometer.analysis;

import java.util.Locale;
import java.util.concurrent.Callable;

/** A country in which Java writes numbers in other digits than DuckDB reads. */
public final class OtherDigits {

  private OtherDigits() {}

  /** Returns the result in that locale. Affects the whole JVM: for tests that run alone in it. */
  public static <T> T answer(Callable<T> question) throws Exception {
    Locale usual = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      return question.call();
    } finally {
      Locale.setDefault(usual);
    }
  }
}
