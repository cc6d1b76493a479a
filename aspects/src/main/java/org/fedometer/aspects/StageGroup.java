package org.fedometer.aspects;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which part of Fedora's work a stage belongs to: of an aspect, or of all aspects in a class. Never
 * asked on Fedora's threads.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface StageGroup {

  /** As the manual's section is called. */
  String value();
}
