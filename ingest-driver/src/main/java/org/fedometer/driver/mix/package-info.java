/**
 * A load that is made of several operations: which step is which, on which object, and what came of
 * each.
 */
package org.fedometer.driver.mix;
