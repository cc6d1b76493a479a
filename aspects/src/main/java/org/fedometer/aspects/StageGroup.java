package org.fedometer.aspects;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The part of Fedora's work to which a stage, or all stages in a class, belong. Never read on
 * Fedora's threads.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface StageGroup {

  /** Title of the manual's section. */
  String value();
}
