/** A load of several operations: the order of steps, their objects and their results. */
package org.fedometer.driver.mix;
