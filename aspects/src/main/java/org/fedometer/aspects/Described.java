package org.fedometer.aspects;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a stage in Markdown, for its row in docs/stages.md; the pointcut supplies the rest.
 * Read by tests only.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Described {

  /** The stage's work. */
  String value();

  /** The versions of Fedora that have it, and their differences. */
  String versions() default "all";

  /** Executions per ingest. */
  String calls() default "0";

  /** The settings that affect it. */
  String knob() default "–";

  /**
   * Executions in the golden object's ingest on each stack of golden-stages.csv; empty for the
   * value of {@link #calls}.
   */
  int[] golden() default {};
}
