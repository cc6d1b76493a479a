/**
 * Studies of size: a collection that doubles from level to level, and an object that is given more
 * and more datastreams.
 */
package org.fedometer.driver.study;
