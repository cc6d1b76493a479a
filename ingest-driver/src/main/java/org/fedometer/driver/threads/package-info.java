/** What all threads of the driver have in common. */
package org.fedometer.driver.threads;
