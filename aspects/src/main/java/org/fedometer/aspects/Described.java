package org.fedometer.aspects;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A stage in words, in Markdown: its row in docs/stages.md, where the pointcut says the rest. Read
 * by tests alone.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Described {

  /** What the stage is. */
  String value();

  /** The versions of Fedora that have it, and what differs between them. */
  String versions() default "all";

  /** How often one ingest passes it. */
  String calls() default "0";

  /** What acts on it. */
  String knob() default "–";

  /**
   * How often the golden object's ingest passes it on each stack of golden-stages.csv; {@link
   * #calls} where there is nothing.
   */
  int[] golden() default {};
}
