/** Utilities for the driver's threads. */
package org.fedometer.driver.threads;
