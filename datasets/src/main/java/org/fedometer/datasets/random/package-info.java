/** Random numbers that are the same on every machine, and distributions of them. */
package org.fedometer.datasets.random;
