/**
 * When objects are sent, by how many workers, and what is counted meanwhile: {@link
 * org.fedometer.driver.load.Load} is what was asked for, {@link org.fedometer.driver.load.Schedule}
 * hands out turns, {@link org.fedometer.driver.load.LoadCrew} takes them.
 */
package org.fedometer.driver.load;
