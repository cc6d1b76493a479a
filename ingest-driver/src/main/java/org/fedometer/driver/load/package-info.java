/**
 * When objects are sent, by how many workers, and the counters: {@link
 * org.fedometer.driver.load.Load} is the request, {@link org.fedometer.driver.load.Schedule} hands
 * out positions, {@link org.fedometer.driver.load.LoadWorkers} process them.
 */
package org.fedometer.driver.load;
